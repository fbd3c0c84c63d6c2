#include "support/fold_results.hpp"

#include <cstring>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace test {

int fold_results::compare(asked_of_policy const& asked, void const* got, void const* want) const {
  static char const* const names[] = {"reduce", "inclusive_scan", "exclusive_scan"};
  int looked_at = 0;
  for (int which = 0; which < 3; ++which) {
    if (which == 0 ? !asked.has_reduce : !asked.has_scans) continue;
    for (int lane = 0; lane < 32; ++lane) {
      auto const at = [&](void const* results, int lane) { return static_cast<char const*>(results) + static_cast<std::size_t>(which * 32 + lane) * size; };
      auto const where = [&] {
        return std::string(policy) + " " + names[which] + " width " + std::to_string(asked.width) + ", " + pattern + ", operator " + operation + ", type " + type + ", lane " +
               std::to_string(lane) + ": ";
      };
      ++looked_at;
      if (!agrees(at(got, lane), at(want, lane)))
        FAIL_CHECK(where() << "expected " << text_of(at(want, lane), size, number) << ", got " << text_of(at(got, lane), size, number));
      int const first = lane / asked.width * asked.width;
      if (which == 0 && std::memcmp(at(got, lane), at(got, first), size) != 0) FAIL_CHECK(where() << "other bits than in lane " << first);
    }
  }
  return looked_at;
}

}  // namespace test
