// Row softmax of __half: what the table chooses, and each shape that can hold a row.
#include <muster/half.hpp>

#include "softmax/make_ways.hpp"
#include "softmax/row_calls.hpp"

std::vector<bench::softmax_way> bench::softmax_ways_f16(row_matrices const& m, bool all) { return softmax_ways<__half, true>(m, all); }

void bench::softmax_f16(row_call const& call) { row_softmax<__half>(call); }
