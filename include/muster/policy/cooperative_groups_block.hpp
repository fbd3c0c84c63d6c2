// policy::cooperative_groups over a whole block: reduce and scans of the library's tiles of several warps, for comparison. Device code only.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_scan.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/cooperative_groups.hpp>

MUSTER_BEGIN

namespace policy {

namespace cooperative_groups_parts {

template <int Threads, bool Known>
struct block_is_a_tile_of_the_library {
  static_assert(Known && Threads >= 64 && (Threads & (Threads - 1)) == 0,
                "muster::policy::cooperative_groups_block_storage<T, Dims>: a tile of several warps has 64, 128, 256, 512 or 1024 threads, known at compile time");
  static constexpr bool value = true;
};

}  // namespace cooperative_groups_parts

// What reduce, inclusive_scan and exclusive_scan of policy::cooperative_groups take after the block. It is empty: from sm_80 on the library keeps what it needs in
// shared memory that the toolkit reserves (cooperative_groups/details/memory.h of CUDA 13.0).
template <class T, class Dims>
class cooperative_groups_block_storage {
  static_assert(cooperative_groups_parts::block_is_a_tile_of_the_library<Dims::count, Dims::is_static>::value);

 public:
  using value_type = T;
  using dims = Dims;
};

}  // namespace policy

namespace detail {

template <class T, class Dims>
inline constexpr bool is_block_storage<policy::cooperative_groups_block_storage<T, Dims>> = true;

// Values up to 8 bytes, and commutative monoids only, as for the library's tiles of a warp.
template <class Op, class T>
struct library_block_folds {
  static_assert(operator_is_a_monoid<Op, T>::value && value_can_travel<T>::value);
  static_assert(Op::is_commutative && sizeof(T) <= 8 && policy::foreign_parts::travels_as_it_is<T>,
                "muster::policy::cooperative_groups: a tile of several warps folds values of up to 8 bytes by commutative operators; use policy::automatic");
  static constexpr bool value = true;
};

#if MUSTER_ON_DEVICE
// The library's token of the whole block. Making it resets the barriers that an earlier call may still be in, so all must have left that.
template <class Dims>
__device__ auto library_block(site where) {
  backend::sync_block(where);
  return ::cooperative_groups::tiled_partition<Dims::count>(::cooperative_groups::this_thread_block());
}
#endif

template <class Stored, class StoredDims>
struct block_algorithms<policy::cooperative_groups_policy, policy::cooperative_groups_block_storage<Stored, StoredDims>> {
  using storage_type = policy::cooperative_groups_block_storage<Stored, StoredDims>;

  // Cost: as cg::reduce, and the making of the library's tile, two barriers.
  template <class Dims, class T, class Op>
  MUSTER_FN static T reduce(block<Dims>, storage_type&, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(library_block_folds<Op, T>::value);
#if MUSTER_ON_DEVICE
    return ::cooperative_groups::reduce(library_block<Dims>(where), v, policy::cooperative_groups_parts::library_operator<T>(op));
#else
    return policy::foreign_parts::needs_gpu<policy::cooperative_groups_policy, T>(where);
#endif
  }
};

template <class Stored, class StoredDims>
struct block_scans<policy::cooperative_groups_policy, policy::cooperative_groups_block_storage<Stored, StoredDims>> {
  using storage_type = policy::cooperative_groups_block_storage<Stored, StoredDims>;

  template <class Dims, class T, class Op>
  MUSTER_FN static T inclusive(block<Dims>, storage_type&, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(library_block_folds<Op, T>::value);
#if MUSTER_ON_DEVICE
    return ::cooperative_groups::inclusive_scan(library_block<Dims>(where), v, policy::cooperative_groups_parts::library_operator<T>(op));
#else
    return policy::foreign_parts::needs_gpu<policy::cooperative_groups_policy, T>(where);
#endif
  }

  // Neutral in thread 0.
  template <class Dims, class T, class Op>
  MUSTER_FN static T below([[maybe_unused]] block<Dims> b, storage_type&, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(library_block_folds<Op, T>::value);
#if MUSTER_ON_DEVICE
    T const result = ::cooperative_groups::exclusive_scan(library_block<Dims>(where), v, policy::cooperative_groups_parts::library_operator<T>(op));
    return thread_rank(b) == 0 ? neutral_of<Op, T>() : result;
#else
    return policy::foreign_parts::needs_gpu<policy::cooperative_groups_policy, T>(where);
#endif
  }
};

}  // namespace detail

MUSTER_END
