// Row softmax of __nv_bfloat16: what the table chooses, and each shape that can hold a row.
#include <muster/half.hpp>

#include "softmax/make_ways.hpp"
#include "softmax/row_calls.hpp"

// As f16 but for two conversions: the shapes are tuned with that.
std::vector<bench::softmax_way> bench::softmax_ways_bf16(row_matrices const& m, [[maybe_unused]] bool all) { return softmax_ways<__nv_bfloat16, false>(m, all); }

void bench::softmax_bf16(row_call const& call) { row_softmax<__nv_bfloat16>(call); }
