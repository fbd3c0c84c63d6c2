// The proof against plans that somebody broke. An executor that shares nothing with the proof decides which mutants still work.
#include <catch2/catch_test_macros.hpp>

#include <map>

#include <muster/plan/plan_for.hpp>

#include "support.hpp"

using namespace test;
using muster::plan::flaw;
using muster::plan::flaw_of;
using muster::plan::guard;
using muster::plan::make_move;
using muster::plan::make_plan;

namespace {

struct mutant {
  std::string what;
  plan broken;
};

// The five bits of a step in every word move along with the step.
plan without_step(plan const& p, int dropped) {
  plan result = p;
  for (int i = dropped; i + 1 < p.count; ++i) result.steps[i] = p.steps[i + 1];
  result.steps[p.count - 1] = step{};
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t const low = p.words[lane] & ((1u << (5 * dropped)) - 1u);
    result.words[lane] = low | (p.words[lane] >> (5 * (dropped + 1)) << (5 * dropped));
  }
  --result.count;
  return result;
}

plan with_step_repeated(plan const& p, int repeated) {
  plan result = p;
  for (int i = p.count; i > repeated; --i) result.steps[i] = p.steps[i - 1];
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t const low = p.words[lane] & ((1u << (5 * (repeated + 1))) - 1u);
    result.words[lane] = low | (p.words[lane] >> (5 * repeated) << (5 * (repeated + 1)));
  }
  ++result.count;
  return result;
}

plan with_steps_swapped(plan const& p, int a, int b) {
  plan result = p;
  std::swap(result.steps[a], result.steps[b]);
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t const x = p.words[lane] >> (5 * a) & 31u;
    std::uint32_t const y = p.words[lane] >> (5 * b) & 31u;
    result.words[lane] = (p.words[lane] & ~(31u << (5 * a)) & ~(31u << (5 * b))) | y << (5 * a) | x << (5 * b);
  }
  return result;
}

// One or more mutants of every sort for every step.
std::vector<mutant> mutants_of(plan const& p, lane_set members, random_sets& random) {
  std::vector<mutant> result;
  auto const change = [&](std::string what, int i, auto&& edit) {
    plan broken = p;
    edit(broken.steps[i], broken);
    result.push_back({std::move(what), broken});
  };
  for (int i = 0; i < p.count; ++i) {
    lane_set const takers = p.steps[i].takes & members;
    int const member = members.lane_of(random.below(members.count()));
    int const taker = takers.empty() ? member : takers.lane_of(random.below(takers.count()));
    result.push_back({"dropped step", without_step(p, i)});
    if (p.count < 6) result.push_back({"doubled contribution", with_step_repeated(p, i)});
    if (i + 1 < p.count) result.push_back({"steps swapped", with_steps_swapped(p, i, i + 1)});
    change("changed source", i, [&](step& s, plan& all) {
      if (s.from == operand::table) {
        all.words[taker] ^= static_cast<std::uint32_t>(1 + random.below(31)) << (5 * i);
      } else {
        s.arg = static_cast<std::uint8_t>(s.arg ^ (1 + random.below(31)));
      }
    });
    if (p.steps[i].from == operand::keep_xor) {
      change("changed keep", i, [&](step& s, plan&) { s.keep = static_cast<std::uint8_t>(s.keep ^ (1 << random.below(5))); });
    }
    change("operands swapped", i, [&](step& s, plan&) { s.received_is_left = s.received_is_left ^ lane_set::single(taker); });
    change("changed clamp", i, [&](step& s, plan&) { s.c = static_cast<std::uint16_t>(s.c ^ (1 + random.below(31))); });
    change("changed segment", i, [&](step& s, plan&) { s.c = static_cast<std::uint16_t>(s.c ^ (1 + random.below(31)) << 8); });
    change("changed mode", i, [&](step& s, plan&) { s.mode = static_cast<shuffle_mode>((static_cast<int>(s.mode) + 1 + random.below(3)) % 4); });
    change("changed guard", i, [&](step& s, plan&) { s.use = static_cast<guard>((static_cast<int>(s.use) + 1 + random.below(2)) % 3); });
    change("changed takes", i, [&](step& s, plan&) { s.takes = s.takes ^ lane_set::single(member); });
    change("changed takes and guard", i, [&](step& s, plan&) {
      s.takes = s.takes ^ lane_set::single(member);
      s.use = guard::lane_test;
    });
    change("folds for replaces", i, [&](step& s, plan&) { s.replaces = !s.replaces; });
  }
  return result;
}

struct tally {
  std::map<std::string, int> wrong;       // mutants that do not work, all refused
  std::map<std::string, int> equivalent;  // mutants that work, accepted
  int refused_though_right = 0;           // mutants that work, refused for what they say of themselves
};

// `verdict` is the proof's, `works` the executor's.
template <class Where>
void judge(tally& t, mutant const& m, flaw verdict, bool works, bool unused_lanes, Where const& where) {
  if (!works) {
    if (verdict == flaw::none) FAIL("proven, but wrong: " << m.what << "\n" << where());
    ++t.wrong[m.what];
  } else if (verdict == flaw::none) {
    ++t.equivalent[m.what];
  } else {
    // `takes` may contradict the guard without effect. In an exclusive scan nobody reads the last rank's inclusive value.
    bool const says_wrong_things = verdict == flaw::guard_disagrees || verdict == flaw::unexpected_fold;
    if (!says_wrong_things && !unused_lanes) FAIL("refused, but right: " << m.what << ", " << name_of(verdict) << "\n" << where());
    ++t.refused_though_right;
  }
}

int sum(std::map<std::string, int> const& counts) {
  int total = 0;
  for (auto const& [what, count] : counts) total += count;
  return total;
}

void report(tally const& t) {
  std::ostringstream text;
  for (auto const& [what, count] : t.wrong) text << what << ": " << count << " refused\n";
  text << sum(t.wrong) << " wrong mutants, all refused; " << sum(t.equivalent) << " equivalent ones accepted; " << t.refused_though_right
       << " that work refused for contradicting themselves or for values nobody reads";
  WARN(text.str());
  char const* const sorts[]{"dropped step", "changed source", "operands swapped", "changed clamp", "changed guard", "changed takes and guard"};
  for (char const* sort : sorts) CHECK(t.wrong.contains(sort));
}

}  // namespace

TEST_CASE("mutants of reductions and scans that do not work are all refused") {
  random_sets next{3};
  tally t;
  for (int i = 0; i < 3'000; ++i) {
    lane_set const members = i < 31 ? lane_set::range(0, i + 2) : next();
    for (int width : {32, 16, 8}) {
      for (kind k : kinds) {
        plan const p = make_plan(width, members, k);
        for (mutant const& m : mutants_of(p, members, next)) {
          bool const works = runs_right(m.broken, width, members, k);
          judge(t, m, flaw_of(m.broken, width, members, k), works, k == kind::exclusive_scan,
                [&] { return context(m.broken, width, members, k); });
        }
      }
    }
  }
  report(t);
  CHECK(sum(t.wrong) > 500'000);
  CHECK(t.wrong.contains("doubled contribution"));
  CHECK(t.wrong.contains("steps swapped"));
  CHECK(t.wrong.contains("changed keep"));
}

TEST_CASE("mutants of moves that do not work are all refused") {
  random_sets next{4};
  tally t;
  for (int i = 0; i < 1'000; ++i) {
    lane_set const members = next();
    for (int width : {32, 8}) {
      for (move m : moves) {
        int const n = next.below(width);
        plan const p = make_move(width, members, m, n);
        for (mutant const& mutated : mutants_of(p, members, next)) {
          if (mutated.broken.count != 1) {
            CHECK(flaw_of(mutated.broken, width, members, m, n) == flaw::malformed);
            continue;
          }
          bool const works = runs_right(mutated.broken, width, members, m, n);
          judge(t, mutated, flaw_of(mutated.broken, width, members, m, n), works, false,
                [&] { return context(mutated.broken, width, members, m); });
        }
      }
    }
  }
  WARN(sum(t.wrong) << " wrong mutants, all refused; " << sum(t.equivalent) << " equivalent ones accepted");
  CHECK(t.wrong.contains("changed source"));
  CHECK(t.wrong.contains("changed clamp"));
  CHECK(t.wrong.contains("folds for replaces"));
}
