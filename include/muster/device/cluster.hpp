// What blocks of one cluster need of each other (sm_90 and newer): a barrier, and stores to another block's shared memory. Device code only: the emulator has no
// clusters.
// Source: PTX ISA, "barrier.cluster", "mapa", "st" with .shared::cluster.
#pragma once

#include <cstdint>

#include <muster/config.hpp>
#include <muster/launch.hpp>

#if defined(__CUDACC__)

MUSTER_BEGIN

namespace device::detail {

#if MUSTER_HAS_CLUSTERS

__device__ inline unsigned rank_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// The first half of a barrier that only says that every block of the cluster runs: before that its shared memory is not there.
__device__ inline void announce_block() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
__device__ inline void wait_for_blocks() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

// Waits for all threads of the cluster and orders their memory accesses.
__device__ inline void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Stores to where `own` lies in the shared memory of block `rank` of the cluster.
template <class T>
__device__ void store_in_block(T* own, unsigned rank, T const& value) {
  static_assert(sizeof(T) % 4 == 0);
  std::uint32_t const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(own));
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  std::uint32_t words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof value);
MUSTER_UNROLL
  for (unsigned i = 0; i < sizeof(T) / 4; ++i) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + i * 4), "r"(words[i]) : "memory");
}

#endif

// Whether the kernel was compiled for sm_90 or newer and runs on a GPU that has clusters, of this many blocks if they are more than the 8 that every such GPU has.
template <class Entry>
bool can_launch_clusters(Entry entry, int blocks) {
  cudaFuncAttributes attributes{};
  int device = 0, has_clusters = 0;
  muster::detail::require_device();
  muster::detail::check_cuda(cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(entry)), "muster::device");
  muster::detail::check_cuda(cudaGetDevice(&device), "muster::device");
  muster::detail::check_cuda(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, device), "muster::device");
  if (attributes.ptxVersion < 90 || has_clusters == 0) return false;
  if (blocks <= 8) return true;
  bool const allowed = cudaFuncSetAttribute(reinterpret_cast<void const*>(entry), cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess;
  if (!allowed) cudaGetLastError();
  return allowed;
}

// Launches `rows` clusters of `Blocks` blocks.
template <int Blocks, class Dims, class Kernel, class... Args>
void launch_clusters(device_target target, long long rows, Dims dims, Kernel const& kernel, Args... args) {
  auto const entry = muster::detail::run_kernel<Kernel, Dims, Args...>;
  extent const grid{static_cast<unsigned>(rows * Blocks), 1, 1};
  muster::detail::check_shape({grid, dims.shape(), muster::detail::shared_of<Kernel>::bytes, 0});
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = Blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid.x, 1, 1);
  config.blockDim = dim3(dims.shape().x, 1, 1);
  config.stream = target.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  Kernel copy = kernel;
  void* pointers[] = {&copy, &args...};
  muster::detail::check_cuda(cudaGetLastError(), "muster::device: an error was pending before the launch");
  muster::detail::check_cuda(cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(entry), pointers), "muster::device");
}

}  // namespace device::detail

MUSTER_END

#endif
