// Checks of a running kernel that types cannot make, under one set of names: the emulator always makes them; a GPU does in builds with MUSTER_CHECKED, where a failed
// check is written to memory that the host reads (check_device.hpp), so that the CUDA context lives on; other device code holds nothing of them.
#pragma once

#include <cstdint>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/site.hpp>

#if MUSTER_ON_DEVICE && MUSTER_CHECKED_BUILD
#include <muster/backend/blocks.hpp>
#include <muster/backend/failed_check.hpp>
#include <muster/backend/words.hpp>
#include <muster/core/shuffle_mode.hpp>
#endif

namespace muster::backend {
inline namespace MUSTER_ABI {  // a checked build makes checks that others do not

inline constexpr bool checks_are_made = !MUSTER_ON_DEVICE || MUSTER_CHECKED_BUILD;

#if !MUSTER_ON_DEVICE

// Whether a rank exists in the caller's tile.
inline bool check_rank(int rank, int members, site where) { return emulator::check_rank(rank, members, where); }

// Whether the members of each tile of `width` lanes hold the same bytes.
template <class T>
void check_uniform(std::uint32_t membermask, int width, T const& value, site where) {
  emulator::check_uniform(membermask, width, &value, sizeof(T), where);
}

// Whether the kernel was launched with the block shape that it states.
inline void check_block_shape(extent stated, site where) {
  if (!(block_shape() == stated)) emulator::fail("this_block<Dims>: the kernel was launched with another block shape", where);
}

// Whether it was launched in clusters of the shape that it states, and cooperatively.
inline void check_cluster_shape(extent stated, site where) {
  extent const launched = emulator::company_of_launch().cluster;
  if (!((launched.volume() == 0 ? extent{1, 1, 1} : launched) == stated)) emulator::fail("this_block<Dims>: the kernel was launched with another cluster shape", where);
}
inline void check_cooperative(site where) {
  if (!emulator::company_of_launch().is_cooperative) emulator::fail("this_block<Dims>: the kernel was not launched with `cooperative`, as Dims states", where);
}

// Whether the caller stands in no narrowed scope; a GPU keeps none.
inline void check_no_scope(char const* call, site where) { emulator::require_no_scope(call, where); }

#elif MUSTER_CHECKED_BUILD

__device__ inline bool check_rank(int rank, int members, site where) {
  if (rank >= 0 && rank < members) return true;
  report_failed_check(failed_check::rank_out_of_range, rank, members, where);
  return false;
}

// Each word against that of the tile's first member.
template <class T>
__device__ void check_uniform(std::uint32_t membermask, int width, T const& value, site where) {
  std::uint32_t const tile = width == 32 ? 0xffffffffu : ((1u << width) - 1u) << (lane() & ~(width - 1));
  std::uint32_t const own = membermask & tile;
  if ((own >> lane() & 1u) == 0) return;  // reported where it takes part
  int const first = first_bit(own);
  auto const words = to_words(value);
  bool same = true;
  for (int i = 0; i < words.count; ++i) same = same && words.word[i] == shuffle_word<shuffle_mode::idx>(membermask, words.word[i], static_cast<unsigned>(first), 0x1f);
  if (!same) report_failed_check(failed_check::not_uniform, lane(), first, where);
}

__device__ inline void check_block_shape(extent stated, site where) {
  if (block_shape() == stated) return;
  report_failed_check(failed_check::block_shape, static_cast<int>(stated.volume()), static_cast<int>(block_shape().volume()), where);
}

// A launch without clusters is one of clusters of a block.
__device__ inline void check_cluster_shape(extent stated, site where) {
  extent launched{1, 1, 1};
#if MUSTER_HAS_CLUSTERS
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(launched.x));
  asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(launched.y));
  asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(launched.z));
#endif
  if (launched == stated) return;
  report_failed_check(failed_check::cluster_shape, static_cast<int>(stated.volume()), static_cast<int>(launched.volume()), where);
}

// The driver gives a barrier to cooperative launches alone (blocks.hpp).
__device__ inline void check_cooperative(site where) {
  if (is_cooperative_launch()) return;
  report_failed_check(failed_check::not_cooperative, 0, 0, where);
}

__device__ inline void check_no_scope(char const*, site) {}

#else

__device__ inline bool check_rank(int, int, site) { return true; }
template <class T>
__device__ void check_uniform(std::uint32_t, int, T const&, site) {}
__device__ inline void check_block_shape(extent, site) {}
__device__ inline void check_cluster_shape(extent, site) {}
__device__ inline void check_cooperative(site) {}
__device__ inline void check_no_scope(char const*, site) {}

#endif

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
