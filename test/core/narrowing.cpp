// Narrowing: who runs a body, with which group, and what reaches it.
#include "support/narrowing_cases.hpp"

TEST_CASE("bodies run in the members that a narrowing function names") {
  test::for_each_machine([](test::machine const& on) { test::check_narrowing(on); });
}
