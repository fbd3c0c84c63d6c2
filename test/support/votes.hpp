// Votes, matches and index queries, as one body for `on_members`. Results are numbers.
#pragma once

#include <string>
#include <vector>

#include "support/on_members.hpp"

namespace test {

struct votes {
  using value = int;
  static std::vector<std::string> names() {
    return {"ballot.count", "ballot.first", "ballot.below(rank)", "ballot.contains(0)", "any(few)", "all(few)", "all(true)", "any(false)",
            "match_any.count", "match_any.first", "match_all(value).count", "match_all(same).count", "thread_rank", "num_threads", "invoke_one_broadcast"};
  }
  static int input(int thread) { return choice(thread + 13, 3); }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, int const mine, Out const& out) {
    int const rank = muster::thread_rank(g);
    auto const voters = muster::ballot(g, mine == 1);
    out(0, voters.count());
    out(1, voters.first());
    out(2, voters.below(rank));
    out(3, voters.contains(0) ? 1 : 0);
    out(4, muster::any(g, mine == 2).value() ? 1 : 0);
    out(5, muster::all(g, mine != 2).value() ? 1 : 0);
    out(6, muster::all(g, true).value() ? 1 : 0);
    out(7, muster::any(g, false).value() ? 1 : 0);
    auto const alike = muster::match_any(g, mine);
    out(8, alike.count());
    out(9, alike.first());
    out(10, muster::match_all(g, static_cast<double>(mine)).count());
    out(11, muster::match_all(g, 2.5).count());
    out(12, rank);
    out(13, static_cast<int>(muster::num_threads(g)));
    out(14, muster::invoke_one_broadcast(g, [&] { return mine * 10 + rank; }).value());
  }

  static bool expected(int k, std::vector<cell<int>> const& held, int rank, group_facts const&, int& out) {
    int const count = static_cast<int>(held.size());
    auto const number_of = [&](int wanted, int below) {
      int n = 0;
      for (int i = 0; i < below; ++i) n += held[static_cast<std::size_t>(i)].value == wanted ? 1 : 0;
      return n;
    };
    auto const first_of = [&](int wanted) {
      for (int i = 0; i < count; ++i)
        if (held[static_cast<std::size_t>(i)].value == wanted) return i;
      return -1;
    };
    int const mine = held[static_cast<std::size_t>(rank)].value;
    switch (k) {
      case 0: out = number_of(1, count); break;
      case 1: out = first_of(1); break;
      case 2: out = number_of(1, rank); break;
      case 3: out = held[0].value == 1 ? 1 : 0; break;
      case 4: out = number_of(2, count) > 0 ? 1 : 0; break;
      case 5: out = number_of(2, count) == 0 ? 1 : 0; break;
      case 6: out = 1; break;
      case 7: out = 0; break;
      case 8: out = number_of(mine, count); break;
      case 9: out = first_of(mine); break;
      case 10: out = number_of(mine, count) == count ? count : 0; break;
      case 11: out = count; break;
      case 12: out = rank; break;
      case 13: out = count; break;
      case 14: out = held[0].value * 10; break;
    }
    return true;
  }
};

}  // namespace test
