// Compares a warp's folds with those expected; no template, so that it is compiled once.
#pragma once

#include <cstddef>

#include "support/values.hpp"

namespace test {

// What a policy was asked to fill in for one operator at one width.
struct asked_of_policy {
  int width;
  bool has_reduce, has_scans;
};

// What results belong to, and how two values are compared.
struct fold_results {
  char const* policy;
  char const* operation;
  char const* type;
  char const* pattern;
  std::size_t size;
  number_kind number;
  bool (*agrees)(void const* got, void const* want);

  // got and want: reductions, inclusive scans, exclusive scans of 32 lanes each. A reduction is the same to the bit in all lanes of a tile. Returns how many
  // results were looked at.
  int compare(asked_of_policy const& asked, void const* got, void const* want) const;
};

}  // namespace test
