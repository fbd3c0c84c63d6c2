// Counts by place are found, added up, ordered, and shown as a table.
#include "branch_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "report.hpp"

namespace muster::emulator {
namespace detail {

void count(std::vector<branch_count>& counts, site where, std::uint64_t rounds, std::uint64_t lanes) {
  for (branch_count& each : counts) {
    if (each.where.line != where.line || (each.where.file != where.file && std::strcmp(each.where.file, where.file) != 0)) continue;
    each.rounds += rounds;
    each.lanes += lanes;
    return;
  }
  counts.push_back({where, rounds, lanes});
}

bool is_before(branch_count const& a, branch_count const& b) {
  int const files = std::strcmp(a.where.file, b.where.file);
  return files != 0 ? files < 0 : a.where.line < b.where.line;
}

void sort(std::vector<branch_count>& counts) { std::sort(counts.begin(), counts.end(), &is_before); }

}  // namespace detail

std::string table_of(std::vector<branch_count> counts) {
  auto const idle = [](branch_count const& each) { return 32 * each.rounds - each.lanes; };
  std::sort(counts.begin(), counts.end(),
            [&](branch_count const& a, branch_count const& b) { return idle(a) != idle(b) ? idle(a) > idle(b) : detail::is_before(a, b); });
  std::string text = "      rounds  lanes busy  narrowing call\n";
  for (branch_count const& each : counts) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%12llu  %8.1f %%  ", static_cast<unsigned long long>(each.rounds), 100 * each.utilisation());
    text += numbers + detail::site_text(each.where) + "\n";
  }
  return text;
}

}  // namespace muster::emulator
