#include <muster/half.hpp>

#include "softmax/make_ways.hpp"

std::vector<bench::softmax_way> bench::softmax_ways_f16(row_matrices const& m, bool all) { return softmax_ways<__half, true>(m, all); }
