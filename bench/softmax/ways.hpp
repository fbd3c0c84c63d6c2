// The ways to compute the softmax of rows that the benchmark compares: what the table chooses, and each shape that can hold the row. One source per type makes them,
// because each is a kernel of its own.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct row_matrices {
  void const* in;
  void* out;
  long long rows, columns, stride;  // of both
};

struct softmax_way {
  std::string name;  // "muster", or "muster:v:tile:32x2x4": access (v, c, e, h, s, d, w: vectors, covering, edged, shifted, staged, dense, words), lanes x accesses a lane x rows in flight
  std::function<void(row_matrices const&)> launch;
};

// `all` adds each shape that can hold the row to the one that the table chooses.
std::vector<softmax_way> softmax_ways_f32(row_matrices const& m, bool all);
std::vector<softmax_way> softmax_ways_f16(row_matrices const& m, bool all);
std::vector<softmax_way> softmax_ways_bf16(row_matrices const& m, bool all);

}  // namespace bench
