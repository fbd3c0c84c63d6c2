// check_device(): asks the GPU which checks failed in the kernels of a build with MUSTER_CHECKED. muster::wait does so by itself; programs that launch their kernels
// otherwise call it where they synchronise.
#pragma once

#include <stdexcept>

#include <muster/config.hpp>

#if MUSTER_CHECKED_BUILD && defined(__CUDACC__)

#include <string>

#include <cuda_runtime_api.h>

#include <muster/backend/failed_check.hpp>
#include <muster/core/extent.hpp>

#endif

MUSTER_BEGIN

// Thrown by check_device and wait in checked builds; what() says which check failed, where, and in which thread. The CUDA context is as good as before.
struct check_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

#if MUSTER_CHECKED_BUILD && defined(__CUDACC__)

namespace detail {

inline std::string text_of(backend::failed_check const& failed) {
  using check = backend::failed_check;
  auto const place = [](extent e) { return std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z); };
  std::string const asked = std::to_string(failed.asked), limit = std::to_string(failed.limit);
  std::string reason;
  switch (failed.kind) {
    case check::caller_not_in_set: reason = "caller_not_in_set: lane " + asked + " executes a collective whose mask does not name it"; break;
    case check::rank_out_of_range: reason = "rank_out_of_range: rank " + asked + " was asked for, and the tile has " + limit + (failed.limit == 1 ? " member" : " members"); break;
    case check::not_uniform: reason = "not_uniform: lane " + asked + " holds another value than lane " + limit + ", the first member of the same tile"; break;
    case check::cluster_shape: reason = "cluster_shape: this_block states clusters of another shape (" + asked + " blocks) than the launch (" + limit + ")"; break;
    case check::not_cooperative: reason = "not_cooperative: this_block states a cooperative launch, and this is none"; break;
    default: reason = "block_shape: this_block states another shape (" + asked + " threads) than the launch (" + limit + " threads)";
  }
  std::string text = "muster (checked build): " + reason + "\n  in thread " + place(failed.thread) + " of block " + place(failed.block) + ", at " + failed.file + ":" +
                     std::to_string(failed.line);
  if (failed.count > 1) text += "\n  the first of " + std::to_string(failed.count) + " failed checks";
  return text;
}

}  // namespace detail

// A name of its own, as in target.hpp: the sources of a checked program that nvcc does not compile have a check_device too, which does nothing.
inline namespace compiled_for_devices {

// Throws check_error if a check has failed since the last call; the record is cleared. Waits for the work of the default stream. Cost: a copy of some 250 bytes for each
// source with kernels.
inline void check_device() {
  backend::failed_check_list const& list = backend::failed_check_list::all();
  std::string text;
  for (int i = 0; i < list.count; ++i) {
    backend::failed_check failed;
    if (cudaMemcpyFromSymbol(&failed, list.symbols[i], sizeof failed) != cudaSuccess) {
      cudaGetLastError();
      continue;  // there is no device, or an earlier error says more
    }
    if (failed.count == 0) continue;
    if (text.empty()) text = detail::text_of(failed);
    backend::failed_check const none;
    if (cudaMemcpyToSymbol(list.symbols[i], &none, sizeof none) != cudaSuccess) cudaGetLastError();
  }
  if (!text.empty()) throw check_error(text);
}

}  // namespace compiled_for_devices

#else

// Other builds check nothing on a GPU, and nor do sources without device code.
inline void check_device() {}

#endif

MUSTER_END
