// Block algorithms by policy, beside CUB and cooperative groups.
//
//   block_reduce/automatic/f32/threads:256            the fold in every thread
//   block_reduce/cub/...                              the same from CUB's default algorithm: its result in thread 0, handed to all through shared memory
//   block_reduce/cub_all:raking/...                   the same from CUB's other algorithms
//   block_reduce/cooperative_groups/...               a tile of several warps, made once before the loop
//   block_reduce_to/automatic/...                     the fold in thread 0 only
//   block_reduce_to/cub:raking/...                    CUB as it is: the fold in thread 0, and the barrier that CUB asks for between two calls
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <boost/hana.hpp>

#include <muster/muster.hpp>
#include <muster/policy/cub_block.hpp>

#include "block_cells.hpp"

namespace hana = boost::hana;
namespace cg = cooperative_groups;

namespace {

using namespace bench;
using muster::block_dims;

template <class Policy, class Storage>
struct reduce_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::reduce(Policy{}, at.block, at.storage, v, muster::plus{}).value();
  }
};
template <class Policy, class Storage>
struct reduce_to_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    auto const held = muster::reduce_to<0>(Policy{}, at.block, at.storage, v, muster::plus{});
    return muster::detail::holder_access::of(held);  // what is there in all threads, as CUB returns it
  }
};
template <class Policy, class Storage>
struct scan_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::inclusive_scan(Policy{}, at.block, at.storage, v, muster::plus{});
  }
};
template <class Policy, class Storage>
struct softmax_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::softmax(Policy{}, at.block, at.storage, v);
  }
};

// --- CUB ---

template <class Collective, class T>
struct cub_memory {
  typename Collective::TempStorage temporary;
  T result;
};
template <class Collective, class T, bool ForAll>
struct cub_reduce {
  using memory = cub_memory<Collective, T>;
  template <class Block>
  __device__ memory* begin(Block, memory& m) const {
    return &m;
  }
  __device__ T operator()(memory* m, T v) const {
    v = Collective(m->temporary).Sum(v);
    if constexpr (ForAll) {
      if (threadIdx.x == 0) m->result = v;
      __syncthreads();
      return m->result;
    } else {
      __syncthreads();
      return v;
    }
  }
};
template <class Collective, class T>
struct cub_scan {
  using memory = cub_memory<Collective, T>;
  template <class Block>
  __device__ memory* begin(Block, memory& m) const {
    return &m;
  }
  __device__ T operator()(memory* m, T v) const {
    T result;
    Collective(m->temporary).InclusiveSum(v, result);
    __syncthreads();
    return result;
  }
};

// --- cooperative groups ---

template <int Threads>
struct library_tile {
  struct memory {};
  template <class Block>
  __device__ auto begin(Block, memory&) const {
    return cg::tiled_partition<Threads>(cg::this_thread_block());
  }
};
template <int Threads>
struct cg_reduce : library_tile<Threads> {
  template <class Tile, class T>
  __device__ T operator()(Tile const& tile, T v) const {
    return cg::reduce(tile, v, cg::plus<T>());
  }
};
template <int Threads>
struct cg_scan : library_tile<Threads> {
  template <class Tile, class T>
  __device__ T operator()(Tile const& tile, T v) const {
    return cg::inclusive_scan(tile, v, cg::plus<T>());
  }
};

template <class Type, class Dims>
void add_policies() {
  using T = typename Type::type;
  using own = muster::block_storage<T, Dims>;
  using foreign = muster::policy::cub_block_storage<T, Dims>;
  using muster::policy::automatic_policy, muster::policy::shuffle_policy, muster::policy::cub_policy;
  constexpr int threads = Dims::count;
  add<sum_in_all, Dims, Type>("automatic", reduce_call<automatic_policy, own>{});
  add<sum_in_all, Dims, Type>("cub", reduce_call<cub_policy, foreign>{});
  add<sum_in_all, Dims, Type>("cooperative_groups", cg_reduce<threads>{});
  add<sum_in_first, Dims, Type>("automatic", reduce_to_call<automatic_policy, own>{});
  add<running_sum, Dims, Type>("automatic", scan_call<automatic_policy, own>{});
  add<running_sum, Dims, Type>("cub", scan_call<cub_policy, foreign>{});
  add<running_sum, Dims, Type>("cooperative_groups", cg_scan<threads>{});
  if constexpr (std::is_same_v<T, int>) {
    add<sum_in_all, Dims, Type>("shuffle", reduce_call<shuffle_policy, own>{});
  } else {
    add<softmax_of_all, Dims, Type>("automatic", softmax_call<automatic_policy, own>{});
    add<softmax_of_all, Dims, Type>("cub", softmax_call<cub_policy, foreign>{});
  }
}

// CUB's other algorithms.
template <class Type, class Dims>
void add_cub_algorithms() {
  using T = typename Type::type;
  auto const reduction = [](auto algorithm, char const* name) {
    using collective = cub::BlockReduce<T, Dims::count, decltype(algorithm)::value>;
    add<sum_in_all, Dims, Type>(std::string("cub_all:") + name, cub_reduce<collective, T, true>{});
    add<sum_in_first, Dims, Type>(std::string("cub:") + name, cub_reduce<collective, T, false>{});
  };
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_WARP_REDUCTIONS>{}, "warp_reductions");
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_RAKING>{}, "raking");
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>{}, "raking_commutative_only");
  auto const scan = [](auto algorithm, char const* name) {
    add<running_sum, Dims, Type>(std::string("cub:") + name, cub_scan<cub::BlockScan<T, Dims::count, decltype(algorithm)::value>, T>{});
  };
  scan(std::integral_constant<cub::BlockScanAlgorithm, cub::BLOCK_SCAN_WARP_SCANS>{}, "warp_scans");
  scan(std::integral_constant<cub::BlockScanAlgorithm, cub::BLOCK_SCAN_RAKING_MEMOIZE>{}, "raking_memoize");
}

void add_all() {
  auto const sizes = hana::tuple_t<block_dims<64>, block_dims<128>, block_dims<256>, block_dims<512>, block_dims<1024>>;
  hana::for_each(hana::cartesian_product(hana::make_tuple(hana::tuple_t<f32, i32, f64>, sizes)), [](auto cell) {
    using type = typename decltype(+cell[hana::size_c<0>])::type;
    using dims = typename decltype(+cell[hana::size_c<1>])::type;
    add_policies<type, dims>();
    if constexpr (!std::is_same_v<type, f64>) add_cub_algorithms<type, dims>();
  });
}

}  // namespace

int main(int argc, char** argv) { return bench::run("block", argc, argv, &add_all); }
