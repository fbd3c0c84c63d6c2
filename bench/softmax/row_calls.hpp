// muster::device::softmax of one type behind a plain function: bench_softmax and the shared library for other languages use the same objects, so that each kernel is
// compiled once.
#pragma once

#include <cuda_runtime_api.h>

namespace bench {

struct row_call {
  void const* in;
  void* out;
  long long rows, columns;
  long long in_stride, out_stride;  // in values
  cudaStream_t stream = nullptr;
};

// Each throws what muster::device::softmax throws.
void softmax_f32(row_call const& call);
void softmax_f16(row_call const& call);
void softmax_bf16(row_call const& call);

}  // namespace bench
