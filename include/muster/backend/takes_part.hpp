// Whether a lane may execute a collective: in builds with MUSTER_CHECKED a caller that its own membermask does not name is reported, and leaves the operation out, which
// would be undefined (PTX ISA, "shfl.sync"). Elsewhere the answer is always yes and costs nothing. Device code only.
#pragma once

#include <cstdint>

#include <muster/config.hpp>
#include <muster/core/site.hpp>

#if MUSTER_ON_DEVICE

#if MUSTER_CHECKED_BUILD
#include <muster/backend/failed_check.hpp>
#endif

namespace muster::backend {
inline namespace MUSTER_ABI {

#if MUSTER_CHECKED_BUILD
__device__ inline bool takes_part(std::uint32_t membermask, site where) {
  std::uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if ((membermask >> lane & 1u) != 0) return true;
  report_failed_check(failed_check::caller_not_in_set, static_cast<int>(lane), static_cast<int>(membermask), where);
  return false;
}
#else
__device__ constexpr bool takes_part(std::uint32_t, site) { return true; }
#endif

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend

#endif
