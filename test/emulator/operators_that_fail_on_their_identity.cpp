// An operator of a kernel's own that cannot take its identity ends the process when the emulator tries that, which the kernel itself may never do: the text says what was tried.
#include <string>

#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/operator_law.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#include "in_child.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace operators_that_fail {

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

// Looks its values up in a table that checks its indices.
struct in_a_table {
  static constexpr bool is_commutative = true;
  int operator()(int a, int b) const {
    if (a < 0 || b < 0) __builtin_trap();
    return a < b ? b : a;
  }
};
struct without_identity : in_a_table {
  template <class T>
  static T identity() {
    return -1;
  }
};
struct without_neutral : in_a_table {
  template <class T>
  static T identity() {
    return 0;
  }
  template <class T>
  static T neutral() {
    return -1;
  }
};
struct without_a_sum {
  static constexpr bool is_commutative = true;
  int operator()(int a, int b) const {
    if (a != 0 && b != 0) __builtin_trap();
    return a + b;
  }
  template <class T>
  static T identity() {
    return 0;
  }
};

template <class Op>
struct fold {
  void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    out[muster::thread_rank(block)] = muster::reduce(warp, muster::thread_rank(block) + 1, Op{});
  }
};

template <class Op>
std::string said_by_fold() {
  auto const found = end_of_process([] {
    int out[32];
    muster::launch(muster::on_emulator({.seed = 7}), muster::grid_dims(1), muster::block_dims<32>{}, fold<Op>{}, &out[0]);
  });
  CHECK(WIFSIGNALED(found.status));
  return found.said;
}

}  // namespace operators_that_fail

TEST_CASE("an operator that ends the process when it is tried on its identity is named, with what was tried") {
  using namespace operators_that_fail;
  CHECK_THAT(said_by_fold<without_identity>(),
             ContainsSubstring("(trap)") && ContainsSubstring("the fold's operator operators_that_fail::without_identity on its identity<T>(), which it must take like any value") &&
                 ContainsSubstring("seed=7"));
  CHECK_THAT(said_by_fold<without_neutral>(), ContainsSubstring("the fold's operator operators_that_fail::without_neutral on its neutral<T>()"));
}

TEST_CASE("of an operator that ends the process by folding two values no trial is told") {
  using namespace operators_that_fail;
  CHECK_THAT(said_by_fold<without_a_sum>(), ContainsSubstring("(trap)") && !ContainsSubstring("trying"));
}

TEST_CASE("a lane that has tried an operator tries it no longer") {
  using namespace operators_that_fail;
  auto const found = in_child(128 * 1024, [] {
    { emulator::operator_trial const trial(muster::operator_law::identity, "[with Op = lib::op]"); }
    __builtin_trap();
  });
  CHECK_THAT(found.said, ContainsSubstring("(trap)") && !ContainsSubstring("trying"));
}

#endif
