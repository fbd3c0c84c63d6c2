// What a comparison lane by lane says: machine, group, type, operation, lane, expected, got.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "support/values.hpp"

namespace test {

// Collects what differs; empty when nothing does. The first few differences are told in full.
class differences {
 public:
  explicit differences(std::string about) : about_{std::move(about)} {}

  template <class T>
  void expect_same_bytes(std::string const& operation, int thread, T const& expected, T const& got) {
    if (!same_bytes(expected, got)) add(operation, thread, text_of(expected), text_of(got));
  }

  void add(std::string const& operation, int thread, std::string const& expected, std::string const& got) {
    ++count_;
    if (count_ <= 6) {
      std::ostringstream line;
      line << "\n  " << about_ << ", " << operation << ", warp " << thread / 32 << " lane " << thread % 32 << ": expected " << expected << ", got " << got;
      text_ += line.str();
    }
  }

  std::string text() const { return count_ <= 6 ? text_ : text_ + "\n  and " + std::to_string(count_ - 6) + " more"; }

 private:
  std::string about_;
  std::string text_;
  int count_ = 0;
};

// One assertion for all lanes.
inline void check(differences const& found) {
  std::string const difference = found.text();
  CHECK(difference == "");
}

}  // namespace test
