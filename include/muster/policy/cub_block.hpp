// policy::cub over a whole block: CUB's BlockReduce and BlockScan, for comparison, in the shared memory that they ask for. Device code only.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_scan.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/cub.hpp>

#if defined(__CUDACC__)
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#endif

MUSTER_BEGIN

namespace policy {

namespace cub_parts {

template <class Dims>
struct block_shape_is_known_to_cub {
  static_assert(Dims::is_static, "muster::policy::cub_block_storage<T, Dims>: CUB's block algorithms know the block's shape at compile time; Dims is block_dims<X, Y, Z>");
  static constexpr bool value = true;
};

}  // namespace cub_parts

// One program may have sources compiled by nvcc and others that are not, which do not know the layout: the names differ too (One Definition Rule).
#if defined(__CUDACC__)
inline namespace compiled_for_devices {
#else
inline namespace compiled_without_devices {
#endif

// What reduce, inclusive_scan and exclusive_scan of policy::cub take after the block. CUB's defaults: BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_SCAN_RAKING.
template <class T, class Dims>
class cub_block_storage {
  static_assert(cub_parts::block_shape_is_known_to_cub<Dims>::value);

 public:
  using value_type = T;
  using dims = Dims;

#if defined(__CUDACC__)
 private:
  // CUB makes objects of the type; of one that it cannot make, it gets the words.
  using travelling = std::conditional_t<foreign_parts::travels_as_it_is<T>, T, backend::words<sizeof(T)>>;
  static constexpr extent shape = Dims::shape();
  using reduction = ::cub::BlockReduce<travelling, shape.x, ::cub::BLOCK_REDUCE_WARP_REDUCTIONS, shape.y, shape.z>;
  using scan = ::cub::BlockScan<travelling, shape.x, ::cub::BLOCK_SCAN_RAKING, shape.y, shape.z>;
  union {
    typename reduction::TempStorage reduction_;
    typename scan::TempStorage scan_;
  };
  detail::word_array<detail::words_of<T>> result_;
  template <class Policy, class Storage>
  friend struct detail::block_algorithms;
  template <class Policy, class Storage>
  friend struct detail::block_scans;
#endif
};

}  // inline namespace

}  // namespace policy

namespace detail {

template <class T, class Dims>
inline constexpr bool is_block_storage<policy::cub_block_storage<T, Dims>> = true;

template <class Stored, class StoredDims>
struct block_algorithms<policy::cub_policy, policy::cub_block_storage<Stored, StoredDims>> {
  using storage_type = policy::cub_block_storage<Stored, StoredDims>;

  // CUB gives the fold to thread 0 alone; a barrier later all read it. Cost: as CUB's BlockReduce, and a barrier.
  template <class Dims, class T, class Op>
  MUSTER_FN static T reduce([[maybe_unused]] block<Dims> b, [[maybe_unused]] storage_type& storage, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(operator_is_a_monoid<Op, T>::value && value_can_travel<T>::value);
#if MUSTER_ON_DEVICE
    T const first = policy::foreign_parts::as_library_value(v, op, [&](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      return typename storage_type::reduction(storage.reduction_).Reduce(value, policy::cub_parts::library_operator<value_type>(fold));
    });
    if constexpr (is_one_warp<Dims>) backend::sync_block(where);  // CUB itself has no barrier then
    if (thread_rank(b) == 0) put(storage.result_.word, first);
    backend::sync_block(where);
    return get(storage.result_.word, v);
#else
    return policy::foreign_parts::needs_gpu<policy::cub_policy, T>(where);
#endif
  }
};

template <class Stored, class StoredDims>
struct block_scans<policy::cub_policy, policy::cub_block_storage<Stored, StoredDims>> {
  using storage_type = policy::cub_block_storage<Stored, StoredDims>;

  // Cost: as CUB's BlockScan, and the barrier that CUB leaves to the caller.
  template <class Dims, class T, class Op>
  MUSTER_FN static T inclusive(block<Dims>, [[maybe_unused]] storage_type& storage, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(operator_is_a_monoid<Op, T>::value && value_can_travel<T>::value);
#if MUSTER_ON_DEVICE
    T const result = policy::foreign_parts::as_library_value(v, op, [&](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      value_type scanned;
      typename storage_type::scan(storage.scan_).InclusiveScan(value, scanned, policy::cub_parts::library_operator<value_type>(fold));
      return scanned;
    });
    backend::sync_block(where);
    return result;
#else
    return policy::foreign_parts::needs_gpu<policy::cub_policy, T>(where);
#endif
  }

  // The value that CUB leaves open in thread 0 is neutral here.
  template <class Dims, class T, class Op>
  MUSTER_FN static T below([[maybe_unused]] block<Dims> b, [[maybe_unused]] storage_type& storage, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, site where) {
    static_assert(operator_is_a_monoid<Op, T>::value && value_can_travel<T>::value);
#if MUSTER_ON_DEVICE
    T const result = policy::foreign_parts::as_library_value(v, op, [&](auto const& value, auto const& fold) {
      using value_type = std::remove_cvref_t<decltype(value)>;
      value_type scanned;
      typename storage_type::scan(storage.scan_).ExclusiveScan(value, scanned, policy::cub_parts::library_operator<value_type>(fold));
      return scanned;
    });
    backend::sync_block(where);
    return thread_rank(b) == 0 ? neutral_of<Op, T>() : result;
#else
    return policy::foreign_parts::needs_gpu<policy::cub_policy, T>(where);
#endif
  }
};

}  // namespace detail

MUSTER_END
