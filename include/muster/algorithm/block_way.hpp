// How a block's values meet: which part of a fold is shuffles, which is arithmetic on values read from shared memory, and how much shared memory that takes.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/redux.hpp>
#include <muster/policy/shuffle.hpp>

MUSTER_BEGIN

namespace detail {

// What a lane of the first warp reads. All but partials are values: nothing is folded before the barrier, and one warp shuffles in place of every warp; they are read out of
// order, which is for commutative operators.
enum class block_reading : unsigned char {
  partials,  // of tiles, which have folded their values by shuffles
  columns,   // values of the same lane of the other warps
  shares,    // as many neighbouring values of the whole block as it has warps, in few wide accesses: for a power of two of whole warps
  rest,      // neighbouring values of the other warps, as many as one access has; lanes for which none are left read nothing: for whole warps
};

// Tiles of `tile` lanes fold by shuffles, each puts its partial into shared memory, and a barrier later each lane folds `each` partials in registers and the lanes
// fold what they have by shuffles. A shuffle takes some 25 cycles and a multiprocessor does one a cycle for all its warps; an addition of two registers takes 4, and four
// warps add in a cycle. by_every_warp: each warp does the last part for itself, which is the shortest way for few warps; otherwise the first warp does it, and hands the
// result to the others through shared memory. lets_go_early: if only the first warp wants the result, the others go on when it has read, not when it has folded, and are
// at the next call's barrier before it; what it has read stays in registers meanwhile, too many of them where blocks are large.
struct block_way {
  int tile;
  int each;
  bool by_every_warp;
  block_reading reads = block_reading::partials;
  bool lets_go_early = false;

  friend MUSTER_FN constexpr bool operator==(block_way, block_way) = default;
};

// How a table names them.
MUSTER_FN constexpr block_way by_every_warp(int tile, int each) { return {tile, each, true}; }
MUSTER_FN constexpr block_way by_first_warp(int tile, int each) { return {tile, each, false}; }
inline constexpr block_way by_columns{1, 1, false, block_reading::columns};
inline constexpr block_way by_shares{1, 1, false, block_reading::shares};
inline constexpr block_way by_rest{1, 1, false, block_reading::rest, true};
MUSTER_FN constexpr block_way early(block_way way) { return {way.tile, way.each, way.by_every_warp, way.reads, true}; }

MUSTER_FN constexpr int power_of_two_from(int n) {
  int result = 1;
  while (result < n) result *= 2;
  return result;
}

// A block of unknown shape may have 32 warps.
template <class Dims>
inline constexpr int most_threads = Dims::is_static ? Dims::count : 1024;
template <class Dims>
inline constexpr int most_warps = (most_threads<Dims> + warp_size - 1) / warp_size;

// One warp needs no memory and no barrier: its own algorithms serve.
template <class Dims>
inline constexpr bool is_one_warp = Dims::is_static && Dims::count <= warp_size;

template <class T>
inline constexpr int words_of = static_cast<int>((sizeof(T) + 3) / 4);

// The widest access, in words, to objects of so many words that lie one after the other.
MUSTER_FN constexpr int words_together(int words) { return words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1; }

template <class Policy>
inline constexpr bool is_own_shuffling_policy = std::is_same_v<Policy, policy::automatic_policy> || std::is_same_v<Policy, policy::shuffle_policy>;

// Whether a warp's fold is a redux.sync or few of them.
template <class Policy, class Op, class T>
consteval bool folds_by_redux() {
  return (std::is_same_v<Policy, policy::automatic_policy> || std::is_same_v<Policy, policy::redux_policy>)&&policy::redux_policy::supports<Op, T, tile<warp_size>>();
}

// What a way depends on besides the block: the size of a value, whether the policy folds parts of a warp by shuffles, whether a warp's fold is cheap, so that partials are
// those of whole warps, and whether the order matters.
struct fold_facts {
  int words;
  bool shuffles;
  bool by_redux;
  bool commutes;
};
template <class Op>
inline constexpr bool is_commutative = false;
template <class Op>
  requires requires { Op::is_commutative; }
inline constexpr bool is_commutative<Op> = Op::is_commutative;
template <class Policy, class Op, class T>
consteval fold_facts facts_of() {
  return {words_of<T>, is_own_shuffling_policy<Policy>, folds_by_redux<Policy, Op, T>(), is_commutative<Op>};
}

// Who waits for a fold: all threads of the block, one of its first warp, or, after that warp or all of them, a longer algorithm, of which it is a step.
enum class fold_purpose : unsigned char { for_all, for_one, step };

// The ways, as measured on an H200 (bench/block_ways.cpp): the latency of one block alone weighed against what a call takes of a full chip; of a step the latency.
MUSTER_FN constexpr block_way way_of_reduce(int threads, bool is_static, fold_purpose purpose, fold_facts fold) {
  if (!is_static) return by_first_warp(warp_size, 1);
  int const warps = (threads + warp_size - 1) / warp_size;
  bool const is_for_one = purpose == fold_purpose::for_one, are_whole = threads % warp_size == 0;
  block_way const by_whole_warps = by_every_warp(warp_size, power_of_two_from(warps));
  bool const can_be_columns = fold.commutes && (fold.shuffles || fold.by_redux) && purpose != fold_purpose::step;
  bool const can_be_shares = can_be_columns && are_whole && power_of_two_from(warps) == warps;
  if (fold.by_redux && fold.words <= 2) {
    if (is_for_one && can_be_columns && warps > 2 && warps <= 4 && are_whole && fold.words == 1) return by_rest;
    if (is_for_one && can_be_columns && warps <= 4) return early(by_columns);
    if (warps > 4 && can_be_shares && fold.words == 1) return by_shares;
    if (warps > 4 && warps <= 16 && can_be_columns) return by_columns;
    if (warps <= 8) return by_whole_warps;
    if (warps <= 16) return by_every_warp(warp_size, 1);
    return by_first_warp(warp_size, is_for_one ? power_of_two_from(warps) : 1);
  }
  if (fold.words > 2 || !fold.shuffles) return warps <= 4 ? by_whole_warps : by_first_warp(warp_size, 1);
  if (fold.words == 2) {
    if (is_for_one && can_be_columns && warps <= 4) return early(by_columns);
    if (is_for_one && can_be_shares && warps == 16) return by_shares;
    if (warps <= 16 && can_be_columns && warps > 2) return by_columns;
    return warps <= 4 ? by_whole_warps : by_first_warp(4, 8);
  }
  if (is_for_one && can_be_columns && warps > 2 && warps <= 4) return early(by_columns);
  if (can_be_shares && warps == 8) return is_for_one ? early(by_shares) : by_shares;
  if (can_be_shares && warps == 16) return by_shares;
  if (warps <= 8 && can_be_columns) return by_columns;
  if (warps <= 2) return by_whole_warps;
  if (warps <= 4) return by_first_warp(4, 16);
  if (warps <= 8 && purpose == fold_purpose::step) return by_first_warp(8, 16);
  return by_first_warp(2, warps <= 16 ? 8 : 16);
}

// A scan's partials: those of whole warps, of which a warp folds the ones below it by arithmetic, out of `each` of them, or by shuffles where each is 1; or those of smaller
// tiles, of which a lane of the first warp has `each`.
MUSTER_FN constexpr block_way way_of_scan(int warps, bool is_static, fold_facts fold) {
  if (!is_static || fold.words > 2 || !(fold.shuffles || fold.by_redux)) return by_first_warp(warp_size, 1);
  if (warps <= 4) return by_every_warp(warp_size, power_of_two_from(warps));
  if (warps <= 8 && fold.by_redux) return by_every_warp(warp_size, 1);
  if (warps <= 8 && fold.words == 1) return by_first_warp(2, 8);
  if (warps <= 16) return by_first_warp(4, 4);
  return fold.words == 1 ? by_first_warp(4, 8) : by_first_warp(8, 4);
}

template <fold_purpose Purpose, class Policy, class Op, class T, class Dims>
inline constexpr block_way reduce_way = way_of_reduce(most_threads<Dims>, Dims::is_static, Purpose, facts_of<Policy, Op, T>());
template <class Policy, class Op, class T, class Dims>
inline constexpr block_way scan_way = way_of_scan(most_warps<Dims>, Dims::is_static, facts_of<Policy, Op, T>());

// How many partials a way has.
MUSTER_FN constexpr int partials_of(block_way way, int threads) { return (threads + way.tile - 1) / way.tile; }

// Where partials lie: `each` after each other for one lane. The lanes read 16 bytes at a time, so that their stretches must not begin in the same banks:
// an even number of 16-byte units is followed by an unused one (CUDA Programming Guide, "Shared Memory", bank conflicts).
MUSTER_FN constexpr int stride_of(block_way way, int words) { return way.each * words + (!way.by_every_warp && way.each * words % 8 == 0 ? 4 : 0); }
MUSTER_FN constexpr unsigned place_of(block_way way, int words, unsigned partial) {
  unsigned const each = static_cast<unsigned>(way.each), size = static_cast<unsigned>(words);
  if (stride_of(way, words) == way.each * words) return partial * size;
  return partial / each * static_cast<unsigned>(stride_of(way, words)) + partial % each * size;
}
MUSTER_FN constexpr int words_of_way(block_way way, int threads, int words) {
  if (way.reads == block_reading::shares) return threads * words;
  if (way.reads != block_reading::partials) return (threads - warp_size) * words;  // the first warp keeps its own
  return power_of_two_from(partials_of(way, threads)) / way.each * stride_of(way, words);
}

struct storage_words {
  int met_by_every_warp;
  int met_by_one_warp;
  int handed_out;

  MUSTER_FN constexpr void make_room(block_way way, int threads, int words) {
    int& room = way.by_every_warp ? met_by_every_warp : met_by_one_warp;
    int const needed = words_of_way(way, threads, words);
    if (needed > room) room = needed;
  }
};

// Room for each way that a call on values of T can take.
template <class T, class Dims>
consteval storage_words words_for() {
  if (is_one_warp<Dims>) return {0, 0, 0};
  constexpr int warps = most_warps<Dims>, threads = most_threads<Dims>, words = words_of<T>;
  storage_words result{power_of_two_from(warps) * words, power_of_two_from(warps) * words, warps * words};
  for (int facts = 0; facts < 8; ++facts) {
    fold_facts const fold{words, (facts & 1) != 0, (facts & 2) != 0, (facts & 4) != 0};
    for (fold_purpose const purpose : {fold_purpose::for_all, fold_purpose::for_one, fold_purpose::step})
      result.make_room(way_of_reduce(threads, Dims::is_static, purpose, fold), threads, words);
    block_way const scan = way_of_scan(warps, Dims::is_static, fold);
    result.make_room(scan, threads, words);
    if (!scan.by_every_warp && words_of_way(scan, threads, words) > result.handed_out) result.handed_out = words_of_way(scan, threads, words);
  }
  return result;
}

}  // namespace detail

MUSTER_END
