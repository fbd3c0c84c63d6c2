// grid<Dims>: the token of all threads of a launch whose blocks all run at once, so that they can wait for each other. From a block that
// was launched so.
#pragma once

#include <type_traits>

#include <muster/backend/blocks.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

// Every thread of the grid. Dims are those of its blocks' tokens.
template <class Dims>
class MUSTER_TOKEN grid final {  // as tile is
 public:
  using dims = Dims;

  // User-provided on purpose: a trivially copyable token could be forged by bit_cast.
  MUSTER_FN grid(grid const&) {}
  grid& operator=(grid const&) = delete;

 private:
  MUSTER_FN grid() {}
  friend struct detail::mint;
};

namespace detail {

template <class Dims>
inline constexpr bool is_token<grid<Dims>> = true;

template <class Dims>
struct blocks_run_at_once {
  static_assert(
      company_of<Dims>::is_cooperative,
      "muster::this_grid(block): the blocks of this launch need not run at once, and who waits for one that has not begun waits for ever; "
      "launch(target, cooperative, grid_dims(n), block_dims<256>{}, kernel, ...)");
  static constexpr bool value = true;
};

}  // namespace detail

// Any grid: what helper functions ask for.
template <class T>
inline constexpr bool is_grid = false;
template <class Dims>
inline constexpr bool is_grid<grid<Dims>> = true;
template <class T>
concept any_grid = is_grid<std::remove_cvref_t<T>>;

// The grid of a block that was launched with `cooperative`; of another one it does not compile. Any thread may ask; no instruction.
template <class Dims>
MUSTER_FN grid<Dims> this_grid(block<Dims>) {
  static_assert(detail::blocks_run_at_once<Dims>::value);
  return detail::mint::make<grid<Dims>>();
}

// The linear number of the caller's block in the grid, uniform in the block; and how many there are, uniform in the grid.
template <class Dims>
MUSTER_FN auto block_rank(grid<Dims>) {
  return block_rank(detail::mint::make<block<Dims>>());
}
template <class Dims>
MUSTER_FN auto num_blocks(grid<Dims>) {
  return detail::mint::make<uniform<unsigned, grid<Dims>>>(static_cast<unsigned>(backend::grid_shape().volume()));
}

// The caller's rank among the threads of the grid: block after block, in each as thread_rank(block); and how many there are, uniform in the
// grid.
template <class Dims>
MUSTER_FN unsigned long long thread_rank(grid<Dims> g) {
  auto const own = detail::mint::make<block<Dims>>();
  unsigned long long const before = block_rank(g).value();
  return before * static_cast<unsigned>(detail::plain(num_threads(own))) + static_cast<unsigned>(thread_rank(own));
}
template <class Dims>
MUSTER_FN auto num_threads(grid<Dims>) {
  auto const own = detail::mint::make<block<Dims>>();
  return detail::mint::make<uniform<unsigned long long, grid<Dims>>>(backend::grid_shape().volume() *
                                                                     static_cast<unsigned>(detail::plain(num_threads(own))));
}

// Waits for every thread of the grid and orders their memory accesses. Every thread must call it, in no narrowed scope, and none may have
// exited: a GPU then waits for ever, and the emulator reports it. Needs no memory of the caller's. Cost: two block barriers, and one atomic
// a block on one word. Source: PTX ISA, "Memory Consistency Model" (atom.release, ld.acquire).
template <class Dims>
MUSTER_FN void sync(grid<Dims>, site where = site::here()) {
  backend::sync_grid(where);
}

MUSTER_END
