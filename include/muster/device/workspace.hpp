// Memory that a call needs beside its matrices: the caller's, or the stream-ordered allocator's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <muster/config.hpp>
#include <muster/device/matrix_checks.hpp>
#include <muster/device/vector.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace device {

// Memory of the target that nobody else uses until the call's kernels have ended. It needs no initial value, and its address is a multiple of 16.
struct workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
};

// In the place of a workspace: the call takes it from the stream-ordered allocator (cudaMallocAsync) and gives it back in the stream. In a graph that captures the call
// it becomes a node of the graph's.
struct stream_ordered_workspace {};
inline constexpr stream_ordered_workspace stream_ordered{};

namespace detail {

struct no_workspace {};
template <class T>
concept any_workspace = std::is_same_v<T, workspace> || std::is_same_v<T, stream_ordered_workspace> || std::is_same_v<T, no_workspace>;

inline void check_workspace(char const* what, workspace const& w, std::size_t bytes) {
  if (w.bytes < bytes) refuse(what, "the workspace has " + std::to_string(w.bytes) + " bytes, and " + std::to_string(bytes) + " are needed");
  if (w.data == nullptr) refuse(what, "the workspace is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(w.data) % vector_bytes != 0) refuse(what, "the workspace's address is no multiple of 16");
}

// f(memory of so many bytes).
template <class Target, class F>
void with_workspace(char const* what, Target const&, workspace const& w, std::size_t bytes, F const& f) {
  check_workspace(what, w, bytes);
  f(w.data);
}
template <class F>
void with_workspace(char const*, emulator_target const&, stream_ordered_workspace, std::size_t bytes, F const& f) {
  std::vector<vector> memory(bytes / sizeof(vector) + 1);
  f(static_cast<void*>(memory.data()));
}
template <class F>
void with_workspace([[maybe_unused]] char const* what, [[maybe_unused]] device_target target, stream_ordered_workspace, [[maybe_unused]] std::size_t bytes, F const& f) {
#if defined(__CUDACC__)
  muster::detail::require_device();
  void* memory = nullptr;
  muster::detail::check_cuda(cudaMallocAsync(&memory, bytes, target.stream), what);
  try {
    f(memory);
  } catch (...) {
    cudaFreeAsync(memory, target.stream);
    throw;
  }
  muster::detail::check_cuda(cudaFreeAsync(memory, target.stream), what);
#else
  f(nullptr);  // the launch says that there is no device
#endif
}

}  // namespace detail
}  // namespace device

MUSTER_END
