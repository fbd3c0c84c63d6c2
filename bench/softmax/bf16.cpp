#include <muster/half.hpp>

#include "softmax/make_ways.hpp"

std::vector<bench::softmax_way> bench::softmax_ways_bf16(row_matrices const& m, bool all) { return softmax_ways<__nv_bfloat16>(m, all); }
