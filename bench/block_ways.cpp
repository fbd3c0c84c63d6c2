// The ways among which include/muster/algorithm/block_way.hpp chooses, each for itself: block_reduce/way:4,16,one/f32/threads:1024 folds tiles of 4 lanes by shuffles,
// then 16 partials in each lane of the first warp, which hands the result to the others; `every`: each warp does so for itself.
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
  static constexpr int words = muster::detail::words_of<T>;
  alignas(16) std::uint32_t partials[muster::detail::words_of_way(Way, Dims::count, words)];
  alignas(16) std::uint32_t result[32 * words];
  __device__ muster::detail::meeting_place place() { return {partials, partials, result}; }
};
template <block_way Way, class Dims, class T>
struct reduce_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::reduced_by<Way, muster::policy::automatic_policy>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
template <block_way Way, class Dims, class T>
struct scan_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::scanned_by<Way, muster::policy::automatic_policy, muster::detail::up_to_own>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
std::string name_of(block_way way) {
  return "way:" + std::to_string(way.tile) + "," + std::to_string(way.each) + (way.by_every_warp ? ",every" : ",one");
}

// The ways among which block_way.hpp chooses.
template <class Type, class Dims, block_way Way>
void add_reduce_way() {
  using T = typename Type::type;
  constexpr int partials = muster::detail::power_of_two_from(muster::detail::partials_of(Way, Dims::count));
  if constexpr (Way.each <= partials && partials / Way.each <= 32 && (Way.each != 1 || partials <= 32))
    add<sum_in_all, Dims, Type>(name_of(Way), reduce_by_way<Way, Dims, T>{});
}
template <class Type, class Dims, block_way Way>
void add_scan_way() {
  using T = typename Type::type;
  constexpr int warps = Dims::count / 32;
  if constexpr (Way.each <= warps) add<running_sum, Dims, Type>(name_of(Way), scan_by_way<Way, Dims, T>{});
}
template <class Dims>
void add_ways() {
  constexpr int warps = Dims::count / 32;
  if constexpr (warps <= 8) {
    add_reduce_way<f32, Dims, block_way{warps, 4, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 8, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 16, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 32, true}>();
  }
  if constexpr (warps >= 4) {
    add_reduce_way<f32, Dims, block_way{1, 16, false}>();
    add_reduce_way<f32, Dims, block_way{2, 8, false}>();
    add_reduce_way<f32, Dims, block_way{2, 16, false}>();
    add_reduce_way<f32, Dims, block_way{4, 8, false}>();
    add_reduce_way<f32, Dims, block_way{4, 16, false}>();
    add_reduce_way<f32, Dims, block_way{8, 8, false}>();
    add_reduce_way<f32, Dims, block_way{8, 16, false}>();
    add_reduce_way<f64, Dims, block_way{4, 8, false}>();
    add_reduce_way<f64, Dims, block_way{4, 16, false}>();
    add_reduce_way<f64, Dims, block_way{8, 8, false}>();
  }
  add_reduce_way<f32, Dims, block_way{32, warps < 8 ? warps : 8, true}>();
  add_reduce_way<f32, Dims, block_way{32, warps < 16 ? warps : 16, false}>();
  add_reduce_way<i32, Dims, block_way{32, warps < 8 ? warps : 8, true}>();
  add_reduce_way<i32, Dims, block_way{32, 1, true}>();
  add_reduce_way<i32, Dims, block_way{32, 1, false}>();
  add_scan_way<f32, Dims, block_way{32, 1, true}>();
  add_scan_way<f32, Dims, block_way{32, 2, true}>();
  add_scan_way<f32, Dims, block_way{32, 4, true}>();
  add_scan_way<f32, Dims, block_way{32, 1, false}>();
  add_scan_way<i32, Dims, block_way{32, 1, true}>();
  add_scan_way<i32, Dims, block_way{32, 2, true}>();
  add_scan_way<i32, Dims, block_way{32, 1, false}>();
}

void add_all() {
  hana::for_each(hana::tuple_t<block_dims<64>, block_dims<128>, block_dims<256>, block_dims<512>, block_dims<1024>>, [](auto dims) { add_ways<typename decltype(dims)::type>(); });
}

}  // namespace

int main(int argc, char** argv) { return bench::run("block_ways", argc, argv, &add_all); }
