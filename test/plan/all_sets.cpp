// The generator and the encoder on every set of 16 lanes and on many sets of 32: each plan is proven, has as few shuffles as a tree has
// levels, and is well formed.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/plan_for.hpp>

#include "support.hpp"

using namespace test;
using muster::plan::flaw;
using muster::plan::flaw_of;
using muster::plan::make_plan;

namespace {

// Why a plan is not what make_plan promises; empty if it is.
std::string complaint(plan const& p, int width, lane_set members, kind k) {
  flaw const f = flaw_of(p, width, members, k);
  if (f != flaw::none) return name_of(f);
  if (p.count != halvings(largest_count(width, members)) + (k == kind::exclusive_scan ? 1 : 0)) return "a shuffle too many or too few";
  bool from_table = false;
  for (int i = 0; i < p.count; ++i) {
    step const& s = p.steps[i];
    from_table = from_table || s.from == operand::table;
    if (!s.takes.is_subset_of(members) || !s.received_is_left.is_subset_of(members)) return "a lane outside the set is told to take";
    if (s.arg > 31 || s.keep > 31) return "an operand out of bounds";
  }
  if (from_table != p.uses_table) return "uses_table says something else than the steps";
  for (std::uint32_t word : p.words) {
    if (word >> (5 * p.count) != 0) return "a word says something about steps that are not there";
    if (!p.uses_table && word != 0) return "words without a table";
  }
  return {};
}

void check(int width, lane_set members) {
  for (kind k : kinds) {
    plan const p = make_plan(width, members, k);
    std::string const reason = complaint(p, width, members, k);
    if (!reason.empty()) FAIL(reason << ": " << context(p, width, members, k));
  }
}

// Each set is as good a sample as another: every fifty-first plan is executed too.
void check_by_running(int width, lane_set members) {
  for (kind k : kinds) {
    plan const p = make_plan(width, members, k);
    if (!runs_right(p, width, members, k)) FAIL("wrong values: " << context(p, width, members, k));
  }
}

}  // namespace

TEST_CASE("every set of 16 lanes has a proven plan of each kind, in tiles of 16 and of 32") {
  for (std::uint32_t bits = 1; bits < 0x10000u; ++bits) {
    for (int width : {16, 32}) {
      check(width, {bits});
      if (bits % 51 == 0) check_by_running(width, {bits});
    }
  }
  SUCCEED("65,535 sets, two widths, three kinds");
}

TEST_CASE("the same sets in the upper half of the warp are served as well") {
  for (std::uint32_t bits = 1; bits < 0x10000u; bits += 7) check(16, {bits << 16});
  for (std::uint32_t bits = 1; bits < 0x10000u; bits += 7) check(32, {bits << 16});
  SUCCEED();
}

TEST_CASE("100,000 random sets have proven plans of each kind at widths 32, 16 and 8") {
  random_sets next{1};
  for (int i = 0; i < 100'000; ++i) {
    lane_set const members = next();
    for (int width : {32, 16, 8}) {
      check(width, members);
      if (i % 51 == 0) check_by_running(width, members);
    }
  }
  SUCCEED("100,000 sets, three widths, three kinds");
}

TEST_CASE("widths 4, 2 and 1 are served as well") {
  random_sets next{2};
  for (int i = 0; i < 5'000; ++i) {
    lane_set const members = next();
    for (int width : {4, 2, 1}) {
      check(width, members);
      check_by_running(width, members);
    }
  }
  SUCCEED();
}

TEST_CASE("the executor finds a plan wrong that is wrong") {
  lane_set const members{0x3f3f3f3fu};
  plan p = make_plan(8, members, kind::all_reduce);
  REQUIRE(runs_right(p, 8, members, kind::all_reduce));
  CHECK_FALSE(runs_right(p, 8, members, kind::inclusive_scan));
  --p.count;
  CHECK_FALSE(runs_right(p, 8, members, kind::all_reduce));
}
