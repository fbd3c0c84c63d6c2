// What must be asked by a file that is compiled as the kernels are.
#include <muster/launch.hpp>

#include "tool/machine.hpp"

namespace muster::tool {

std::string why_no_device() {
  if (has_device()) return {};
#if defined(__CUDACC__)
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  cudaGetLastError();
  return std::string("there is no usable GPU (") + (status != cudaSuccess ? cudaGetErrorString(status) : "none is installed") + ")";
#else
  return "this program was built without CUDA";
#endif
}

std::string device_name() {
#if defined(__CUDACC__)
  int device = 0;
  cudaDeviceProp properties{};
  detail::check_cuda(cudaGetDevice(&device), "muster");
  detail::check_cuda(cudaGetDeviceProperties(&properties, device), "muster");
  return std::string(properties.name) + ", sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
#else
  throw launch_error(why_no_device());
#endif
}

}  // namespace muster::tool
