// Runs one body of code on one kind of members on one machine, and compares every thread's results with a plain model.
//
// A body has
//   value                         the type it works on
//   names()                       one name a result
//   input(thread)                 what a thread holds
//   run<Facts>(group, in, out)    calls out(k, value) for each result k
//   expected(k, tile, rank, in, facts, out)   the model: sets out and returns true, or returns false where there is no such result
#pragma once

#include <string>
#include <vector>

#include <boost/hana.hpp>

#include "support/machines.hpp"
#include "support/member_kinds.hpp"
#include "support/report.hpp"
#include "support/values.hpp"

namespace test {

namespace hana = boost::hana;

// What a thread of `on_members` sees of its place in the results.
template <class T>
struct result_writer {
  cell<T>* results;
  int threads;
  int thread;
  MUSTER_FN void operator()(int k, T const& value) const { results[k * threads + thread].value = value; }
};

template <class Kind, class Body>
struct on_members {
  using value = typename Body::value;
  MUSTER_FN void operator()(auto block, cell<value> const* in, cell<value>* results) const {
    int const thread = muster::thread_rank(block);
    result_writer<value> const out{results, Kind::threads, thread};
    value const mine = in[thread].value;
    Kind::enter(block, [&](auto group) { Body::template run<Kind>(group, mine, out); });
  }
};

// The model's side, compiled once for a body, not once for each kind.
template <class Body>
void compare_with_model(std::string const& about, group_facts const& facts, int threads, std::vector<std::vector<int>> const& tiles,
                        std::vector<cell<typename Body::value>> const& in, std::vector<cell<typename Body::value>> const& got,
                        typename Body::value const& untouched) {
  using value = typename Body::value;
  differences found(about + ", " + type_name<value>());
  auto const names = Body::names();
  for (int k = 0; k < static_cast<int>(names.size()); ++k) {
    std::vector<cell<value>> wanted(static_cast<std::size_t>(threads), cell<value>{untouched});
    for (auto const& tile : tiles) {
      std::vector<value> held;
      for (int thread : tile) held.push_back(in[static_cast<std::size_t>(thread)].value);
      for (int rank = 0; rank < static_cast<int>(tile.size()); ++rank) {
        value expected = untouched;
        if (Body::expected(k, held, rank, facts, expected)) wanted[static_cast<std::size_t>(tile[static_cast<std::size_t>(rank)])].value = expected;
      }
    }
    for (int thread = 0; thread < threads; ++thread)
      found.expect_same_bytes(names[static_cast<std::size_t>(k)], thread, wanted[static_cast<std::size_t>(thread)].value,
                              got[static_cast<std::size_t>(k * threads + thread)].value);
  }
  check(found);
}

template <class Kind, class Body>
void run_on_members(machine const& on) {
  using value = typename Body::value;
  std::vector<cell<value>> in(static_cast<std::size_t>(Kind::threads));
  for (int thread = 0; thread < Kind::threads; ++thread) in[static_cast<std::size_t>(thread)].value = Body::input(thread);
  value const untouched = value_of<value>(987654321);
  std::size_t const results = Body::names().size();
  auto const source = on.memory(in);
  auto target = on.memory(std::vector<cell<value>>(static_cast<std::size_t>(Kind::threads) * results, cell<value>{untouched}));
  std::string const about = on.name() + ", " + Kind::name();
  INFO(about);
  on.run(muster::grid_dims(1), Kind::shape(), on_members<Kind, Body>{}, source.data(), target.data());
  compare_with_model<Body>(about, Kind::facts, Kind::threads, tiles_of<Kind>(), in, target.to_vector(), untouched);
}

// Every pair of a kind and a body of the two lists of types.
template <class Kinds, class Bodies>
void run_all(machine const& on, Kinds kinds, Bodies bodies) {
  hana::for_each(kinds, [&](auto kind) {
    hana::for_each(bodies, [&](auto body) { run_on_members<typename decltype(kind)::type, typename decltype(body)::type>(on); });
  });
}

}  // namespace test
