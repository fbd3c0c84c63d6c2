#include <muster/half.hpp>

#include "softmax/make_ways.hpp"

// As f16 but for two conversions: the shapes are tuned with that.
std::vector<bench::softmax_way> bench::softmax_ways_bf16(row_matrices const& m, [[maybe_unused]] bool all) { return softmax_ways<__nv_bfloat16, false>(m, all); }
