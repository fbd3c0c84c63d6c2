// What a comparison lane by lane says: machine, group, type, operation, lane, expected, got.
#pragma once

#include <string>

#include "support/values.hpp"

namespace test {

// Collects what differs; empty when nothing does. The first few differences are told in full.
class differences {
 public:
  explicit differences(std::string about);

  template <class T>
  void expect_same_bytes(std::string const& operation, int thread, T const& expected, T const& got) {
    if (!same_bytes(expected, got)) add(operation, thread, text_of(expected), text_of(got));
  }

  void add(std::string const& operation, int thread, std::string const& expected, std::string const& got);
  std::string text() const;

 private:
  std::string about_;
  std::string text_;
  int count_ = 0;
};

// One assertion for all lanes.
void check(differences const& found);

}  // namespace test
