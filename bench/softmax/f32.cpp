#include "softmax/make_ways.hpp"

std::vector<bench::softmax_way> bench::softmax_ways_f32(row_matrices const& m, bool all) { return softmax_ways<float, true>(m, all); }
