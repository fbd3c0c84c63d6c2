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

// Tiles of `tile` lanes fold by shuffles, each puts its partial into shared memory, and a barrier later each lane folds `each` partials in registers and the lanes
// fold what they have by shuffles. A shuffle takes some 25 cycles and a multiprocessor does one a cycle for all its warps; an addition of two registers takes 4, and four
// warps add in a cycle. by_every_warp: each warp does the last part for itself, which is the shortest way for few warps; otherwise the first warp does it, and hands the
// result to the others through shared memory.
struct block_way {
  int tile;
  int each;
  bool by_every_warp;

  friend MUSTER_FN constexpr bool operator==(block_way, block_way) = default;
};

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

// The ways, as measured on an H200 (bench/block_ways.cpp): the latency of one block alone weighed against what a call takes of a full chip.
// By_redux: a warp's fold is cheap, so that partials are those of whole warps. Shuffles: the policy folds parts of a warp. Words: the size of a value.
MUSTER_FN constexpr block_way way_of_reduce(int warps, int words, bool is_static, bool shuffles, bool by_redux) {
  block_way const by_whole_warps{warp_size, power_of_two_from(warps), true};
  if (!is_static) return {warp_size, 1, false};
  if (by_redux) return warps <= 8 ? by_whole_warps : block_way{warp_size, 1, warps <= 16};
  if (warps <= 2) return by_whole_warps;
  if (!shuffles || words > 2) return warps <= 4 ? by_whole_warps : block_way{warp_size, 1, false};
  if (words == 2) return {warps <= 4 ? 8 : 4, 8, false};
  return {warps <= 4 ? 4 : warps <= 8 ? 8 : warps <= 16 ? 2 : 4, 16, false};
}

// A scan's partials are those of whole warps always.
MUSTER_FN constexpr block_way way_of_scan(int warps, int words, bool is_static, bool by_redux) {
  block_way const by_itself{warp_size, power_of_two_from(warps), true};
  if (!is_static) return {warp_size, 1, false};
  if (by_redux) return warps <= 2 ? by_itself : block_way{warp_size, 1, true};
  if (warps <= 8 && words <= 2) return warps <= 4 ? by_itself : block_way{warp_size, 2, true};
  return {warp_size, 1, false};
}

template <class Policy, class Op, class T, class Dims>
inline constexpr block_way reduce_way =
    way_of_reduce(most_warps<Dims>, words_of<T>, Dims::is_static, is_own_shuffling_policy<Policy>, folds_by_redux<Policy, Op, T>());
template <class Policy, class Op, class T, class Dims>
inline constexpr block_way scan_way = way_of_scan(most_warps<Dims>, words_of<T>, Dims::is_static, folds_by_redux<Policy, Op, T>());

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
  return power_of_two_from(partials_of(way, threads)) / way.each * stride_of(way, words);
}

struct storage_words {
  int met_by_every_warp;
  int met_by_one_warp;
  int handed_out;
};

// Room for each way that a call on values of T can take.
template <class T, class Dims>
consteval storage_words words_for() {
  if (is_one_warp<Dims>) return {0, 0, 0};
  constexpr int warps = most_warps<Dims>, threads = most_threads<Dims>, words = words_of<T>;
  storage_words result{power_of_two_from(warps) * words, power_of_two_from(warps) * words, warps * words};
  for (bool const shuffles : {false, true}) {
    for (bool const by_redux : {false, true}) {
      block_way const way = way_of_reduce(warps, words, Dims::is_static, shuffles, by_redux);
      int& room = way.by_every_warp ? result.met_by_every_warp : result.met_by_one_warp;
      int const needed = words_of_way(way, threads, words);
      if (needed > room) room = needed;
    }
  }
  return result;
}

}  // namespace detail

MUSTER_END
