// Row softmax of float: what the table chooses, and each shape that can hold a row.
#include "softmax/make_ways.hpp"
#include "softmax/row_calls.hpp"

std::vector<bench::softmax_way> bench::softmax_ways_f32(row_matrices const& m, bool all) { return softmax_ways<float, true>(m, all); }

void bench::softmax_f32(row_call const& call) { row_softmax<float>(call); }
