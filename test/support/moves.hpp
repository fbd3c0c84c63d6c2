// Every function that moves a value between members, as one body for `on_members`.
#pragma once

#include <string>
#include <vector>

#include "support/on_members.hpp"

namespace test {

template <class T>
struct moves {
  using value = T;
  static std::vector<std::string> names() {
    return {"shuffle(rank * 5 + 3)",  "shuffle(count - 1 - rank)", "shuffle<0>",          "shuffle<last>",     "shuffle_xor<smallest>",
            "shuffle_xor<largest>",   "shuffle_up<0>",             "shuffle_up<1>",       "shuffle_up<most>",  "shuffle_down<1>",
            "shuffle_down<most>",     "shift_up<1>",               "shift_up<most>",      "shift_down<1>",     "shift_down<most>",
            "broadcast<0>",           "broadcast<last>"};
  }
  static T input(int thread) { return value_of<T>(static_cast<std::uint64_t>(thread)); }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, T const mine, Out const& out) {
    constexpr group_facts facts = Kind::facts;
    constexpr int one = facts.largest_distance >= 1 ? 1 : 0;
    constexpr int most = facts.largest_distance;
    T fill{};
    int const rank = muster::thread_rank(g);
    int const count = muster::num_threads(g);
    out(0, muster::shuffle(g, mine, (rank * 5 + 3) % count));
    out(1, muster::shuffle(g, mine, count - 1 - rank));
    out(2, muster::shuffle<0>(g, mine).value());
    out(3, muster::shuffle<facts.last_rank>(g, mine).value());
    if constexpr (facts.has_xor) {
      out(4, muster::shuffle_xor<facts.smallest_xor>(g, mine));
      out(5, muster::shuffle_xor<facts.largest_xor>(g, mine));
    }
    out(6, muster::shuffle_up<0>(g, mine));
    out(7, muster::shuffle_up<one>(g, mine));
    out(8, muster::shuffle_up<most>(g, mine));
    out(9, muster::shuffle_down<one>(g, mine));
    out(10, muster::shuffle_down<most>(g, mine));
    out(11, muster::shift_up<one>(g, mine, fill));
    out(12, muster::shift_up<most>(g, mine, fill));
    out(13, muster::shift_down<one>(g, mine, fill));
    out(14, muster::shift_down<most>(g, mine, fill));
    out(15, muster::broadcast<0>(g, mine).value());
    out(16, muster::broadcast<facts.last_rank>(g, mine).value());
  }

  static bool expected(int k, std::vector<cell<T>> const& held, int rank, group_facts const& facts, T& out) {
    int const count = static_cast<int>(held.size());
    int const one = facts.largest_distance >= 1 ? 1 : 0;
    int const most = facts.largest_distance;
    T const fill{};
    auto const read = [&](int source, T const& past_the_edge) { return source >= 0 && source < count ? held[static_cast<std::size_t>(source)].value : past_the_edge; };
    T const mine = held[static_cast<std::size_t>(rank)].value;
    switch (k) {
      case 0: out = read((rank * 5 + 3) % count, fill); return true;
      case 1: out = read(count - 1 - rank, fill); return true;
      case 2: case 15: out = read(0, fill); return true;
      case 3: case 16: out = read(facts.last_rank, fill); return true;
      case 4: out = read(rank ^ facts.smallest_xor, fill); return facts.has_xor;
      case 5: out = read(rank ^ facts.largest_xor, fill); return facts.has_xor;
      case 6: out = mine; return true;
      case 7: out = read(rank - one, mine); return true;
      case 8: out = read(rank - most, mine); return true;
      case 9: out = read(rank + one, mine); return true;
      case 10: out = read(rank + most, mine); return true;
      case 11: out = read(rank - one, fill); return true;
      case 12: out = read(rank - most, fill); return true;
      case 13: out = read(rank + one, fill); return true;
      case 14: out = read(rank + most, fill); return true;
    }
    return false;
  }
};

// One of each way of moving, for matrices over many types.
template <class T>
struct some_moves {
  using value = T;
  static constexpr int same_as[5] = {0, 3, 7, 13, 15};  // results of `moves`
  static std::vector<std::string> names() {
    std::vector<std::string> result;
    for (int k : same_as) result.push_back(moves<T>::names()[static_cast<std::size_t>(k)]);
    return result;
  }
  static T input(int thread) { return moves<T>::input(thread); }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, T const mine, Out const& out) {
    constexpr group_facts facts = Kind::facts;
    constexpr int one = facts.largest_distance >= 1 ? 1 : 0;
    out(0, muster::shuffle(g, mine, (muster::thread_rank(g) * 5 + 3) % static_cast<int>(muster::num_threads(g))));
    out(1, muster::shuffle<facts.last_rank>(g, mine).value());
    out(2, muster::shuffle_up<one>(g, mine));
    out(3, muster::shift_down<one>(g, mine, T{}));
    out(4, muster::broadcast<0>(g, mine).value());
  }

  static bool expected(int k, std::vector<cell<T>> const& held, int rank, group_facts const& facts, T& out) { return moves<T>::expected(same_as[k], held, rank, facts, out); }
};

}  // namespace test
