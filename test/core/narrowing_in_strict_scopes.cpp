// The same under MUSTER_STRICT_SCOPES: every body captures nothing.
#define MUSTER_STRICT_SCOPES
#include "support/narrowing_cases.hpp"

TEST_CASE("strict scopes run the same bodies with the same results") {
  test::for_each_machine([](test::machine const& on) { test::check_narrowing(on); });
}
