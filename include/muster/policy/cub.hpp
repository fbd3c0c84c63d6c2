// policy::cub: folds by CUB's WarpReduce and WarpScan, for comparison. Device code only; with cub_block.hpp the one that includes CUB, and only under nvcc.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/is_rank.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/foreign.hpp>
#include <muster/primitive/shuffle.hpp>

#if defined(__CUDACC__)
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#endif

MUSTER_BEGIN

namespace policy {

#if MUSTER_ON_DEVICE
namespace cub_parts {

// The operator by the name under which CUB knows its shortcuts. Its minimum and maximum of floats treat NaN and -0 in another way, so floats keep ours.
template <class T, class Op>
__device__ auto library_operator(Op const& op) {
  if constexpr (std::is_arithmetic_v<T> && std::is_same_v<Op, plus>) {
    return ::cuda::std::plus<>{};
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<Op, minimum>) {
    return ::cuda::minimum<>{};
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<Op, maximum>) {
    return ::cuda::maximum<>{};
  } else {
    return op;
  }
}

// Tiles of a power of two shuffle; what CUB calls their temporary storage is an empty object, not memory that lanes share.
template <class Collective>
struct storage : Collective::TempStorage {
  static_assert(sizeof(typename Collective::TempStorage) == 1, "muster::policy::cub: this version of CUB needs shared memory for a warp collective; CUB 3.0 does not");
};

}  // namespace cub_parts
#endif

struct cub_policy {
  static constexpr char const* name() { return "cub"; }
  static constexpr bool has_own_block_storage = true;  // policy/cub_block.hpp

  // Any monoid, also a non-commutative one, on any value that can travel: WarpReduce folds neighbours by shfl.down with the caller's value on the left, WarpScan by
  // shfl.up with it on the right (cub/warp/specializations/warp_reduce_shfl.cuh and warp_scan_shfl.cuh of CUB 3.0). Groups: whole tiles of 2 to 32 lanes.
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return Group::width >= 2 && foreign_parts::is_partition_of_whole_warp<Group>;
  }

  static constexpr char const* reason_without_gpu =
      "policy::cub needs a GPU: CUB has no CPU version; use policy::automatic on the emulator, or launch on_device in a file compiled by nvcc";

  // Every member of a tile gets the fold of all of them. CUB gives it to rank 0 alone; one more shuffle hands it on. Cost: as CUB's WarpReduce, and one shfl a word.
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce([[maybe_unused]] Group g, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
#if MUSTER_ON_DEVICE
    T const first = foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      using collective = ::cub::WarpReduce<value_type, Group::width>;
      cub_parts::storage<collective> storage;
      return collective(storage).Reduce(value, cub_parts::library_operator<value_type>(fold));
    });
    return detail::read_rank<0>(g, first, where);
#else
    return foreign_parts::needs_gpu<cub_policy, T>(where);
#endif
  }

  // Member r gets the fold of members 0 to r. Cost: as CUB's WarpScan.
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, [[maybe_unused]] site where) {
#if MUSTER_ON_DEVICE
    return foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      using collective = ::cub::WarpScan<value_type, Group::width>;
      cub_parts::storage<collective> storage;
      value_type result;
      collective(storage).InclusiveScan(value, result, cub_parts::library_operator<value_type>(fold));
      return result;
    });
#else
    return foreign_parts::needs_gpu<cub_policy, T>(where);
#endif
  }

  // Member r gets the fold of members 0 to r - 1; rank 0, whose value CUB leaves open, the identity. Cost: as CUB's WarpScan.
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan([[maybe_unused]] Group g, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, [[maybe_unused]] site where) {
#if MUSTER_ON_DEVICE
    T const result = foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      using collective = ::cub::WarpScan<value_type, Group::width>;
      cub_parts::storage<collective> storage;
      value_type result;
      collective(storage).ExclusiveScan(value, result, cub_parts::library_operator<value_type>(fold));
      return result;
    });
    return detail::is_rank<0>(g) ? static_cast<T>(Op::template identity<T>()) : result;
#else
    return foreign_parts::needs_gpu<cub_policy, T>(where);
#endif
  }
};

inline constexpr cub_policy cub{};

}  // namespace policy

MUSTER_END
