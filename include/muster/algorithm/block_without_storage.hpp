// The errors of a block's algorithm called without its storage, and of a tile's algorithm called with one.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Dims, class Second>
struct block_meets_in_a_storage {
  static_assert(is_block_storage<Second>,
                "muster: the warps of a block meet in shared memory: declare muster::block_storage<T, Dims> in the kernel's `shared` and pass it after the block, "
                "reduce(block, shared.fold, v, op); or pass a tile, this_warp(block), if only the warp is meant");
  static constexpr bool value = true;
};

template <class Group, class Storage>
struct tile_needs_no_storage {
  static_assert(!is_block_storage<Storage>,
                "muster: a tile's lanes need no shared memory; leave the storage away, or pass the block if all its threads are meant");
  static constexpr bool value = true;
};

template <class T>
concept no_storage = !is_block_storage<std::remove_cvref_t<T>>;

// A result that fits where the right one would, so that the one error is the only one.
template <class Dims, class Second>
MUSTER_FN uniform<int, block<Dims>> refuse_without_storage() {
  static_assert(block_meets_in_a_storage<Dims, std::remove_cvref_t<Second>>::value);
  return mint::make<uniform<int, block<Dims>>>(0);
}
template <int Width, class Members, class Storage>
MUSTER_FN uniform<int, tile<Width, Members>> refuse_storage() {
  static_assert(tile_needs_no_storage<tile<Width, Members>, Storage>::value);
  return mint::make<uniform<int, tile<Width, Members>>>(0);
}

}  // namespace detail

// Folds and scans, without a policy and with one.
template <class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto reduce(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto reduce(Policy, block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <int Rank, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto reduce_to(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <int Rank, detail::policy Policy, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto reduce_to(Policy, block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto inclusive_scan(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto inclusive_scan(Policy, block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto exclusive_scan(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto exclusive_scan(Policy, block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}

// Softmax and its relatives.
template <empty_row Empty = empty_row::nan, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto softmax(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <empty_row Empty = empty_row::nan, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto log_softmax(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto log_sum_exp(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}

// Broadcasts.
template <class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto broadcast(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}
template <int Rank, class Dims, detail::no_storage Second, class... Args>
MUSTER_FN auto broadcast(block<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_storage<Dims, Second>();
}

// A tile with a storage.
template <int Width, class Members, detail::storage Storage, class... Args>
MUSTER_FN auto reduce(tile<Width, Members>, Storage const&, Args const&...) {
  return detail::refuse_storage<Width, Members, Storage>();
}
template <int Width, class Members, detail::storage Storage, class... Args>
MUSTER_FN auto inclusive_scan(tile<Width, Members>, Storage const&, Args const&...) {
  return detail::refuse_storage<Width, Members, Storage>();
}
template <int Width, class Members, detail::storage Storage, class... Args>
MUSTER_FN auto exclusive_scan(tile<Width, Members>, Storage const&, Args const&...) {
  return detail::refuse_storage<Width, Members, Storage>();
}
template <empty_row Empty = empty_row::nan, int Width, class Members, detail::storage Storage, class... Args>
MUSTER_FN auto softmax(tile<Width, Members>, Storage const&, Args const&...) {
  return detail::refuse_storage<Width, Members, Storage>();
}

MUSTER_END
