// A launch on a GPU, through the CUDA runtime: what a kernel needs to be allowed, what cannot be and why. Without nvcc, the refusal.
#pragma once

#include <cstddef>
#include <string>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/launch_limits.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/tile.hpp>
#include <muster/launch/early_start.hpp>
#include <muster/launch/fact_of_devices.hpp>
#include <muster/launch/kernel_checks.hpp>
#include <muster/launch/request.hpp>
#include <muster/target.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

MUSTER_BEGIN

namespace detail {

#if defined(__CUDACC__)

// How many of its blocks a kernel wants one multiprocessor to hold: a kernel may say so as `resident_blocks`, and the compiler then gives it no more registers than
// that leaves. 0: it does not say.
template <class Kernel>
inline constexpr unsigned resident_blocks_of = 0;
template <class Kernel>
  requires requires { Kernel::resident_blocks; }
inline constexpr unsigned resident_blocks_of<Kernel> = Kernel::resident_blocks;

template <class Kernel, class Dims, class... Args>
__global__ void __launch_bounds__(Dims::is_static ? Dims::count : 1024, resident_blocks_of<Kernel>) run_kernel(Kernel kernel, Args... args) {
  auto const block = mint::make<muster::block<Dims>>();
  if constexpr (shared_storage_of<Kernel>::present) {
    using shared = typename Kernel::shared;
    __shared__ alignas(alignof(shared) < 16 ? 16 : alignof(shared)) unsigned char storage[sizeof(shared)];
    detail::begin_early(kernel, block, *reinterpret_cast<shared*>(storage), static_cast<Args const&>(args)...);
    kernel(block, *reinterpret_cast<shared*>(storage), static_cast<Args const&>(args)...);
  } else {
    detail::begin_early(kernel, block, static_cast<Args const&>(args)...);
    kernel(block, static_cast<Args const&>(args)...);
  }
}

// A launch as the runtime takes it. The attributes lie in it, so it stays where it is.
class launch_config {
 public:
  launch_config(device_target target, launch_request const& asked) {
    config_.gridDim = dim3(asked.grid.x, asked.grid.y, asked.grid.z);
    config_.blockDim = dim3(asked.block.x, asked.block.y, asked.block.z);
    config_.dynamicSmemBytes = asked.dynamic_bytes;
    config_.stream = target.stream;
    config_.attrs = attributes_;
    if (asked.has_clusters()) {
      cudaLaunchAttribute& clusters = attributes_[config_.numAttrs++];
      clusters.id = cudaLaunchAttributeClusterDimension;
      clusters.val.clusterDim.x = asked.cluster.x;
      clusters.val.clusterDim.y = asked.cluster.y;
      clusters.val.clusterDim.z = asked.cluster.z;
    }
    if (asked.is_cooperative) {
      cudaLaunchAttribute& all_at_once = attributes_[config_.numAttrs++];
      all_at_once.id = cudaLaunchAttributeCooperative;
      all_at_once.val.cooperative = 1;
    }
    if (asked.starts_early) {
      cudaLaunchAttribute& early = attributes_[config_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
  }
  launch_config(launch_config const&) = delete;
  launch_config& operator=(launch_config const&) = delete;

  cudaLaunchConfig_t const* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[3]{};
  cudaLaunchConfig_t config_{};
};

inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "muster::launch");
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "muster::launch");
  return value;
}

inline int current_device(device_target) {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "muster::launch");
  return device;
}

// What must be asked for a kernel before it can be launched so: more dynamic shared memory, clusters of more blocks, than every GPU gives.
inline void prepare(launch_request const& asked, void const* entry) {
  require_device();
  if (asked.dynamic_bytes > most_static_shared_bytes - asked.shared_bytes) {
    check_shared_memory(asked, static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)), "this GPU");
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(asked.dynamic_bytes)), "muster::launch");
  }
  if (asked.cluster.volume() > portable_cluster_blocks)
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "muster::launch: a cluster of more than 8 blocks");
}

// Why the current GPU cannot run this kernel in clusters of so many blocks; empty if it can.
inline std::string why_no_clusters(device_target, launch_request const& asked, void const* entry) {
  require_device();
  std::string const clusters = "clusters of " + text_of(asked.cluster) + " blocks: ";
  if (device_attribute(cudaDevAttrClusterLaunch) == 0) return clusters + "this GPU has none; compute capability 9.0 or newer does";
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, entry), "muster::launch");
  if (attributes.ptxVersion < 90) return clusters + "the kernel was compiled for compute capability " + std::to_string(attributes.ptxVersion / 10) + "." +
                                         std::to_string(attributes.ptxVersion % 10) + ", they need 9.0 or newer (CMAKE_CUDA_ARCHITECTURES, or nvcc -arch)";
  prepare(asked, entry);
  launch_config const config({}, asked);
  int most = 0;
  check_cuda(cudaOccupancyMaxPotentialClusterSize(&most, entry, config.get()), "muster::launch");
  if (static_cast<unsigned long long>(most) < asked.cluster.volume())
    return clusters + "of this kernel, with its registers and shared memory, this GPU takes at most " + std::to_string(most);
  return {};
}

// How many blocks of a prepared kernel can run at once; `asked` has a grid of any size.
inline int most_prepared_blocks_at_once(launch_request const& asked, void const* entry) {
  if (device_attribute(cudaDevAttrCooperativeLaunch) == 0) throw launch_error("muster::launch: this GPU has no cooperative launch");
  if (asked.has_clusters()) {
    launch_config const config({}, asked);
    int clusters = 0;
    check_cuda(cudaOccupancyMaxActiveClusters(&clusters, entry, config.get()), "muster::launch");
    return clusters * static_cast<int>(asked.cluster.volume());
  }
  int of_multiprocessor = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, entry, static_cast<int>(asked.block.volume()), asked.dynamic_bytes), "muster::launch");
  return of_multiprocessor * device_attribute(cudaDevAttrMultiProcessorCount);
}
inline int most_blocks_at_once(device_target, launch_request const& asked, void const* entry) {
  prepare(asked, entry);
  return most_prepared_blocks_at_once(asked, entry);
}

// Launches the entry; arguments[i] points to its argument i.
inline void launch_on(device_target target, launch_request const& asked, void const* entry, void** arguments) {
  prepare(asked, entry);
  check_cuda(cudaGetLastError(), "muster::launch: an error was pending before the launch");
  if (asked.is_cooperative) check_resident(asked, static_cast<unsigned long long>(most_prepared_blocks_at_once(asked, entry)), "this GPU");
  launch_config const config(target, asked);
  cudaError_t const status = cudaLaunchKernelExC(config.get(), entry, arguments);
  if (status != cudaSuccess && asked.has_clusters()) {
    cudaGetLastError();
    std::string const reason = why_no_clusters(target, asked, entry);
    if (!reason.empty()) throw launch_error("muster::launch: " + reason);
  }
  check_cuda(status, "muster::launch");
}

template <class Kernel, class Dims, class... Args>
void const* plain_entry_for(device_target) {
  return reinterpret_cast<void const*>(&run_kernel<Kernel, Dims, Args...>);
}

// Whether a kernel that says so can begin early: the GPU can, and the code waits where it must, which code for older GPUs does not (ptxVersion is what __CUDA_ARCH__ was).
template <class Kernel, class Dims, class... Args>
bool can_start_early(device_target target) {
  if constexpr (early_start_of<Kernel>::is_wanted) {
    require_device();
    check_cuda(cudaGetLastError(), "muster::launch: an error was pending before the launch");
    static fact_of_devices has_code;
    return has_code.of(current_device(target), [&] {
      cudaFuncAttributes attributes{};
      check_cuda(cudaFuncGetAttributes(&attributes, plain_entry_for<Kernel, Dims, Args...>(target)), "muster::launch");
      return static_cast<int>(device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9 && attributes.ptxVersion >= 90);
    }) != 0;
  }
  return false;
}

// A kernel without code of clusters would start and do nothing of what it should, so that is asked before its first launch.
template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target target, launch_request const& asked) {
  void const* const entry = plain_entry_for<Kernel, Dims, Args...>(target);
  if constexpr (cluster_type_of<Dims>::count != 0) {
    static fact_of_devices has_clusters;
    has_clusters.of(current_device(target), [&] {
      std::string const reason = why_no_clusters(target, asked, entry);
      if (!reason.empty()) throw launch_error("muster::launch: " + reason);
      return 1;
    });
  }
  return entry;
}

#else

template <class Kernel, class Dims, class... Args>
bool can_start_early(device_target) {
  return false;
}
template <class Kernel, class Dims, class... Args>
void const* plain_entry_for(device_target) {
  return nullptr;
}
template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target, launch_request const&) {
  return nullptr;
}

[[noreturn]] inline void refuse_device() {
  throw launch_error("muster::on_device: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
}
inline int current_device(device_target) { return 0; }
[[noreturn]] inline void launch_on(device_target, launch_request const&, void const*, void**) { refuse_device(); }
[[noreturn]] inline int most_blocks_at_once(device_target, launch_request const&, void const*) { refuse_device(); }
[[noreturn]] inline std::string why_no_clusters(device_target, launch_request const&, void const*) { refuse_device(); }

#endif

}  // namespace detail

MUSTER_END
