// Counts of rounds and lanes by the place of a narrowing call.
#pragma once

#include <cstdint>
#include <vector>

#include <muster/emulator/run.hpp>

namespace muster::emulator::detail {

void count(std::vector<branch_count>& counts, site where, std::uint64_t rounds, std::uint64_t lanes);

// By place.
bool is_before(branch_count const& a, branch_count const& b);
void sort(std::vector<branch_count>& counts);

}  // namespace muster::emulator::detail
