// What must be asked by a file that is compiled as the kernels are.
#include <muster/launch.hpp>

#include "tool/machine.hpp"

namespace muster::tool {

std::string why_no_device() {
#if defined(__CUDACC__)
  std::string const reason = detail::why_no_device();
  return reason.empty() ? reason : "there is no usable GPU (" + reason + ")";
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
