// The ways among which include/muster/algorithm/block_way.hpp chooses, each for itself: block_reduce/way:4,16,one/f32/threads:1024 folds tiles of 4 lanes by shuffles,
// then 16 partials in each lane of the first warp, which hands the result to the others; `every`: each warp does so for itself; `columns`, `shares`, `rest`: the first warp
// folds all values; `early`: with the others gone when it has read.
#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "block_cells.hpp"

namespace hana = boost::hana;

namespace {

using namespace bench;
using muster::block_dims;
using muster::detail::block_way;

template <block_way Way, class Dims, class T>
struct memory_of_way {
  static constexpr int words = muster::detail::words_of<T>, words_of_partials = muster::detail::words_of_way(Way, Dims::count, words);
  alignas(16) std::uint32_t partials[words_of_partials];
  alignas(16) std::uint32_t handed_out[words_of_partials > 32 * words ? words_of_partials : 32 * words];
  __device__ muster::detail::meeting_place place() {
    auto* const kept = muster::backend::kept_address(this);
    return {kept->partials, kept->partials, kept->handed_out};
  }
};
using policy = muster::policy::automatic_policy;
template <block_way Way, class Dims, class T, class Op>
struct reduce_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::reduced_by<Way, policy>(at.block, at.storage.place(), v, Op{}, muster::site{});
  }
};
template <block_way Way, class Dims, class T>
struct reduce_to_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::reduced_in_first_warp<Way, policy>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
template <block_way Way, class Dims, class T>
struct scan_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::scanned_by<Way, policy, muster::detail::up_to_own>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
struct greatest_in_all : sum_in_all {
  static constexpr char const* name = "block_maximum";
  static double expected(std::vector<double> const& in, int) {
    double greatest = in[0];
    for (double v : in) greatest = v > greatest ? v : greatest;
    return greatest;
  }
};
std::string name_of(block_way way) {
  using muster::detail::block_reading;
  std::string const when = way.lets_go_early ? ",early" : "";
  if (way.reads == block_reading::columns) return "way:columns" + when;
  if (way.reads == block_reading::shares) return "way:shares" + when;
  if (way.reads == block_reading::rest) return "way:rest" + when;
  return "way:" + std::to_string(way.tile) + "," + std::to_string(way.each) + (way.by_every_warp ? ",every" : ",one");
}

template <block_way Way>
struct constant_way {
  static constexpr block_way value = Way;
};

// The ways of one cell; what a block of this size cannot take is left out.
template <class Type, class Dims, block_way... Ways>
void add_reduce_ways() {
  using T = typename Type::type;
  auto const add_way = [](auto way) {
    constexpr block_way w = decltype(way)::value;
    constexpr int partials = muster::detail::power_of_two_from(muster::detail::partials_of(w, Dims::count));
    if constexpr (w.lets_go_early) {
      constexpr bool has_reader = w.reads != muster::detail::block_reading::rest || Dims::count <= 128;
      if constexpr (Dims::count <= 512 && has_reader) add<sum_in_first, Dims, Type>(name_of(w), reduce_to_by_way<w, Dims, T>{});
    } else if constexpr (w.reads != muster::detail::block_reading::partials || (w.each <= partials && partials / w.each <= 32)) {
      add<sum_in_all, Dims, Type>(name_of(w), reduce_by_way<w, Dims, T, muster::plus>{});
      if constexpr (!w.by_every_warp) add<sum_in_first, Dims, Type>(name_of(w), reduce_to_by_way<w, Dims, T>{});
      if constexpr (std::is_same_v<T, double> && w.reads != muster::detail::block_reading::shares) add<greatest_in_all, Dims, Type>(name_of(w), reduce_by_way<w, Dims, T, muster::maximum>{});
    }
  };
  (add_way(constant_way<Ways>{}), ...);
}
template <class Type, class Dims, block_way... Ways>
void add_scan_ways() {
  using T = typename Type::type;
  auto const add_way = [](auto way) {
    constexpr block_way w = decltype(way)::value;
    constexpr int partials = muster::detail::power_of_two_from(muster::detail::partials_of(w, Dims::count));
    if constexpr (w.each <= partials && partials / w.each <= 32) add<running_sum, Dims, Type>(name_of(w), scan_by_way<w, Dims, T>{});
  };
  (add_way(constant_way<Ways>{}), ...);
}

constexpr block_way every(int tile, int each) { return muster::detail::by_every_warp(tile, each); }
constexpr block_way one(int tile, int each) { return muster::detail::by_first_warp(tile, each); }
constexpr block_way columns = muster::detail::by_columns, shares = muster::detail::by_shares, rest = muster::detail::by_rest;
constexpr block_way early_columns = muster::detail::early(columns), early_shares = muster::detail::early(shares);

template <class Dims>
void add_ways() {
  constexpr int warps = Dims::count / 32;
  add_reduce_ways<f32, Dims, columns, early_columns, shares, early_shares, every(32, warps < 8 ? warps : 8), one(2, 8), one(2, 16), one(4, 16), one(8, 16)>();
  add_reduce_ways<i32, Dims, columns, early_columns, shares, early_shares, rest, every(32, warps < 8 ? warps : 8), every(32, 1), one(32, 1), one(32, warps)>();
  add_reduce_ways<f64, Dims, columns, early_columns, shares, early_shares, every(32, warps < 8 ? warps : 8), one(4, 8), one(8, 8)>();
  if constexpr (warps <= 8) {
    add_scan_ways<f32, Dims, every(32, warps)>();
    add_scan_ways<i32, Dims, every(32, warps), every(32, 1)>();
    add_scan_ways<f64, Dims, every(32, warps)>();
  }
  constexpr int many = warps < 16 ? warps : 16;
  add_scan_ways<f32, Dims, one(32, many), one(16, 8), one(8, 4), one(8, 8), one(4, 4), one(4, 8), one(4, 16), one(2, 8), one(2, 16)>();
  add_scan_ways<i32, Dims, one(32, many), one(8, 8), one(4, 4), one(4, 8), one(4, 16), one(2, 16)>();
  add_scan_ways<f64, Dims, one(32, many), one(8, 4), one(8, 8), one(4, 4), one(4, 8), one(2, 8)>();
}

void add_all() {
  hana::for_each(hana::tuple_t<block_dims<64>, block_dims<128>, block_dims<256>, block_dims<512>, block_dims<1024>>, [](auto dims) { add_ways<typename decltype(dims)::type>(); });
}

}  // namespace

int main(int argc, char** argv) { return bench::run("block_ways", argc, argv, &add_all); }
