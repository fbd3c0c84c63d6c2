// policy::cooperative_groups: folds by CUDA's cooperative groups, for comparison. Device code only; the one header that includes them, and only under nvcc.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/is_rank.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/foreign.hpp>
#include <muster/primitive/shuffle.hpp>

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#endif

MUSTER_BEGIN

namespace policy {

#if MUSTER_ON_DEVICE
namespace cooperative_groups_parts {

template <int Width>
__device__ auto library_tile() {
  return ::cooperative_groups::tiled_partition<Width>(::cooperative_groups::this_thread_block());
}

// The operator by the name under which the library knows its shortcuts (redux). Its less and greater treat NaN and -0 of floats in another way, so floats keep ours.
template <class T, class Op>
__device__ auto library_operator(Op const& op) {
  if constexpr (std::is_arithmetic_v<T> && std::is_same_v<Op, plus>) {
    return ::cooperative_groups::plus<T>{};
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<Op, minimum>) {
    return ::cooperative_groups::less<T>{};
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<Op, maximum>) {
    return ::cooperative_groups::greater<T>{};
  } else if constexpr (std::is_same_v<Op, bit_and>) {
    return ::cooperative_groups::bit_and<T>{};
  } else if constexpr (std::is_same_v<Op, bit_or>) {
    return ::cooperative_groups::bit_or<T>{};
  } else if constexpr (std::is_same_v<Op, bit_xor>) {
    return ::cooperative_groups::bit_xor<T>{};
  } else {
    return op;
  }
}

}  // namespace cooperative_groups_parts
#endif

struct cooperative_groups_policy {
  static constexpr char const* name() { return "cooperative_groups"; }
  static constexpr bool has_own_block_storage = true;  // policy/cooperative_groups_block.hpp

  // Commutative monoids only: reduce begins with the far half of the tile, and the scans put the lower member's value on the right (cooperative_groups/details/
  // coalesced_reduce.h and coalesced_scan.h of CUDA 13.0). Values up to 32 bytes, which is the library's limit. Groups: whole tiles.
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return foreign_parts::is_partition_of_whole_warp<Group> && Op::is_commutative && sizeof(T) <= 32;
  }

  static constexpr char const* reason_without_gpu =
      "policy::cooperative_groups needs a GPU: the library has no CPU version; use policy::automatic on the emulator, or launch on_device in a file compiled by nvcc";

  // Every member of a tile gets the fold of all of them. Cost: as cg::reduce. Each lane folds with its own value on the left, so an operator that is not known to
  // commute to the bit costs one shuffle a word more, by which all get rank 0's result.
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce([[maybe_unused]] Group g, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
#if MUSTER_ON_DEVICE
    T const own = foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      return ::cooperative_groups::reduce(cooperative_groups_parts::library_tile<Group::width>(), value, cooperative_groups_parts::library_operator<value_type>(fold));
    });
    if constexpr (detail::commutes_bitwise<Op, T>) {
      return own;
    } else {
      return detail::read_rank<0>(g, own, where);
    }
#else
    return foreign_parts::needs_gpu<cooperative_groups_policy, T>(where);
#endif
  }

  // Member r gets the fold of members 0 to r. Cost: as cg::inclusive_scan.
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, [[maybe_unused]] site where) {
#if MUSTER_ON_DEVICE
    return foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      return ::cooperative_groups::inclusive_scan(cooperative_groups_parts::library_tile<Group::width>(), value,
                                                  cooperative_groups_parts::library_operator<value_type>(fold));
    });
#else
    return foreign_parts::needs_gpu<cooperative_groups_policy, T>(where);
#endif
  }

  // Member r gets the fold of members 0 to r - 1; rank 0, to which the library gives an empty value, the identity. Cost: as cg::exclusive_scan.
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan([[maybe_unused]] Group g, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, [[maybe_unused]] site where) {
#if MUSTER_ON_DEVICE
    T const result = foreign_parts::as_library_value(v, op, [](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      return ::cooperative_groups::exclusive_scan(cooperative_groups_parts::library_tile<Group::width>(), value,
                                                  cooperative_groups_parts::library_operator<value_type>(fold));
    });
    return detail::is_rank<0>(g) ? static_cast<T>(Op::template identity<T>()) : result;
#else
    return foreign_parts::needs_gpu<cooperative_groups_policy, T>(where);
#endif
  }
};

inline constexpr cooperative_groups_policy cooperative_groups{};

}  // namespace policy

MUSTER_END
