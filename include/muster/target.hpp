// Where kernels run and their memory lies: on_device(stream) or on_emulator(options), and whether there is a device.
#pragma once

#include <stdexcept>
#include <string>

#include <muster/check_device.hpp>
#include <muster/config.hpp>
#include <muster/emulator/run.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

MUSTER_BEGIN

// Thrown where a launch, an allocation or a copy cannot be done; what() says why. No CUDA error stays behind.
struct launch_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where to run: the CPU emulator.
struct emulator_target {
  emulator::options options;
};
inline emulator_target on_emulator(emulator::options options = {}) { return {options}; }

namespace detail {

// Why a GPU of this compute capability cannot run kernels of muster; empty if it can.
inline std::string why_unfit(int major, int minor) {
  if (major >= 8) return {};
  return "the current GPU has compute capability " + std::to_string(major) + "." + std::to_string(minor) + ", and muster needs 8.0 or newer";
}

#if defined(__CUDACC__)

// Throws a launch_error for a failed runtime call, and clears the error it left.
inline void check_cuda(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  std::string const advice = status == cudaErrorNoKernelImageForDevice ? "; compile for this GPU too (CMAKE_CUDA_ARCHITECTURES, or nvcc -arch)" : "";
  throw launch_error(std::string(what) + ": " + cudaGetErrorString(status) + advice);
}

// Why the current GPU cannot be used; empty if it can.
inline std::string why_no_device() {
  int devices = 0, device = 0, major = 0, minor = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices == 0) return "none is installed";
  if (status == cudaSuccess) status = cudaGetDevice(&device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (status == cudaSuccess) return why_unfit(major, minor);
  cudaGetLastError();
  return cudaGetErrorString(status);
}

// Asks until there is a GPU, then no more: every launch comes through here.
inline void require_device() {
  static bool const found = [] {
    std::string const reason = why_no_device();
    if (!reason.empty()) throw launch_error("muster::on_device: there is no usable CUDA device: " + reason);
    return true;
  }();
  static_cast<void>(found);
}

#endif

}  // namespace detail

// One program may have sources compiled by nvcc and others that are not. What they say of devices differs, so the names do too (One Definition Rule);
// everything else of muster's is the same in both, so a buffer made in one may be used and given back in the other.
#if defined(__CUDACC__)
inline namespace compiled_for_devices {

// Where to run: the current GPU, in a stream.
struct device_target {
  cudaStream_t stream = nullptr;
};
inline device_target on_device(cudaStream_t stream = nullptr) { return {stream}; }

// Whether on_device can run something here: there is a driver, and the current GPU has compute capability 8.0 or newer. Cost: a few calls of the driver.
inline bool has_device() { return detail::why_no_device().empty(); }

}  // namespace compiled_for_devices
#else
inline namespace compiled_without_devices {

// This source was not compiled by nvcc, so it holds no device code: using this target throws.
struct device_target {};
inline device_target on_device(void* = nullptr) { return {}; }
inline bool has_device() { return false; }

}  // namespace compiled_without_devices
#endif

// Waits until everything launched on the target has ended; throws launch_error with the reason if a kernel failed, and in checked
// builds check_error if a check did. The emulator has nothing to wait for.
inline void wait(emulator_target const&) {}
#if defined(__CUDACC__)
inline void wait(device_target target) {
  detail::check_cuda(cudaStreamSynchronize(target.stream), "muster::wait");
  check_device();
}
#else
inline void wait(device_target) {}
#endif

MUSTER_END
