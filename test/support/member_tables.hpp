// A kind of members and a body of code as plain tables, so that what runs and compares them is compiled once and not for each pair.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "support/member_kinds.hpp"
#include "support/values.hpp"

namespace test {

struct kind_table {
  std::string (*name)();
  int threads;
  group_facts facts;
  int (*label)(int thread);
};
template <class Kind>
kind_table table_of_kind() {
  return {&Kind::name, Kind::threads, Kind::facts, &Kind::label};
}

// Values are bytes here; `held` are those of a tile, in rank order.
struct body_table {
  std::vector<std::string> (*names)();
  std::string (*type)();
  std::size_t size;
  number_kind number;
  void (*input)(int thread, void* out);
  void (*untouched)(void* out);
  bool (*expected)(int k, void const* held, int count, int rank, group_facts const& facts, void* out);  // leaves out alone where there is no such result
};

template <class Body>
struct body_functions {
  using value = typename Body::value;
  static void put(value const& v, void* out) { std::memcpy(out, static_cast<void const*>(&v), sizeof(value)); }
  static void input(int thread, void* out) { put(Body::input(thread), out); }
  static void untouched(void* out) { put(value_of<value>(987654321), out); }
  static bool expected(int k, void const* held, int count, int rank, group_facts const& facts, void* out) {
    std::vector<cell<value>> values(static_cast<std::size_t>(count));
    std::memcpy(static_cast<void*>(values.data()), held, values.size() * sizeof(value));
    value result{};
    if (!Body::expected(k, values, rank, facts, result)) return false;
    put(result, out);
    return true;
  }
};
template <class Body>
body_table table_of_body() {
  using functions = body_functions<Body>;
  using value = typename Body::value;
  return {&Body::names, &type_name<value>, sizeof(value), number_kind_of<value>, &functions::input, &functions::untouched, &functions::expected};
}

// What every thread holds, and what stands where a result will be.
std::vector<unsigned char> inputs_of(kind_table const& kind, body_table const& body);
std::vector<unsigned char> untouched_results_of(kind_table const& kind, body_table const& body);

// Compares every thread's results with the body's model; one assertion.
void check_results(std::string const& machine, kind_table const& kind, body_table const& body, std::vector<unsigned char> const& in, std::vector<unsigned char> const& got);

}  // namespace test
