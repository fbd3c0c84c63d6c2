// A shared library of muster's row softmax for other languages: plain C functions that bench/frameworks.py calls on PyTorch's own memory and stream.
// The CUDA runtime is the library's own: nothing but the functions below is visible, so that the process may hold another CUDA runtime.
#include <cuda_runtime_api.h>

#include <cub/version.cuh>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "softmax/row_calls.hpp"

namespace {

struct softmax_of_type {
  char const* type;
  void (*launch)(bench::row_call const&);
};
constexpr softmax_of_type softmax_of_types[] = {{"f32", &bench::softmax_f32}, {"f16", &bench::softmax_f16}, {"bf16", &bench::softmax_bf16}};

thread_local std::string error_text;

int failed(char const* reason) {
  error_text = reason;
  return 1;
}

__global__ void nothing() {}

}  // namespace

extern "C" {

// Row r of `out` becomes the softmax of row r of `in`, as muster::device::softmax does it, in `stream`, a cudaStream_t. type: "f32", "f16" or "bf16", of both matrices.
// Strides count values; 0: rows lie one after the other. Returns 0; or 1, if nothing was launched: then muster_error_text() has the reason.
[[gnu::visibility("default")]] int muster_softmax(char const* type, void const* in, void* out, long long rows, long long columns, long long in_stride, long long out_stride,
                                                  void* stream) {
  try {
    for (softmax_of_type const& each : softmax_of_types) {
      if (std::strcmp(each.type, type) != 0) continue;
      each.launch({in, out, rows, columns, in_stride, out_stride, static_cast<cudaStream_t>(stream)});
      return 0;
    }
    throw std::invalid_argument(std::string("muster_softmax: the types are f32, f16 and bf16, not ") + type);
  } catch (std::exception const& reason) {
    return failed(reason.what());
  }
}

// Why the last call of this thread that did not return 0 failed.
[[gnu::visibility("default")]] char const* muster_error_text() { return error_text.c_str(); }

// A kernel that does nothing: what any launch takes. Returns as the others do.
[[gnu::visibility("default")]] int muster_empty_kernel(void* stream) {
  nothing<<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>();
  cudaError_t const status = cudaGetLastError();
  return status == cudaSuccess ? 0 : failed(cudaGetErrorString(status));
}

// What the library was built with: 13000 for CUDA 13.0, 300001 for CUB 3.0.1.
[[gnu::visibility("default")]] int muster_cuda_version() { return CUDART_VERSION; }
[[gnu::visibility("default")]] int muster_cub_version() { return CUB_VERSION; }

}  // extern "C"
