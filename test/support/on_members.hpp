// Runs one body of code on one kind of members on one machine, and compares every thread's results with a plain model.
//
// A body has
//   value                         the type it works on
//   names()                       one name a result
//   input(thread)                 what a thread holds
//   run<Kind>(group, in, out)     calls out(k, value) for each result k
//   expected(k, held, rank, facts, out)   the model: sets out and returns true, or returns false where there is no such result
#pragma once

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include "support/machines.hpp"
#include "support/member_kinds.hpp"
#include "support/member_tables.hpp"
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

// A pair of a kind and a body, its kernel behind a pointer.
struct member_test {
  kind_table kind;
  body_table body;
  void (*launch)(machine const& on, void const* in, void* results);

  void run(machine const& on) const {
    auto const in = inputs_of(kind, body);
    auto const source = on.memory(in);
    auto target = on.memory(untouched_results_of(kind, body));
    launch(on, source.data(), target.data());
    check_results(on.name(), kind, body, in, target.to_vector());
  }
};
template <class Kind, class Body>
void launch_on_members(machine const& on, void const* in, void* results) {
  using value = cell<typename Body::value>;
  on.run_in_matrix(Kind::shape(), on_members<Kind, Body>{}, static_cast<value const*>(in), static_cast<value*>(results));
}

// Every pair of a kind and a body of the two lists of types, on every machine of a matrix.
template <class Kinds, class Bodies>
void run_matrix(Kinds kinds, Bodies bodies) {
  std::vector<member_test> tests;
  hana::for_each(bodies, [&](auto body) {
    using tested_body = typename decltype(body)::type;
    body_table const of_body = table_of_body<tested_body>();
    hana::for_each(kinds, [&](auto kind) {
      using tested_kind = typename decltype(kind)::type;
      tests.push_back({table_of_kind<tested_kind>(), of_body, &launch_on_members<tested_kind, tested_body>});
    });
  });
  for_each_machine_of_matrix([&](machine const& on) {
    for (member_test const& each : tests) each.run(on);
  });
}

}  // namespace test
