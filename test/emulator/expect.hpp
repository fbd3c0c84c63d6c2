// What a kernel that breaks a rule is expected to be told of, under every schedule and several seeds. Places that a kernel names itself are in "kernel.cu".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/narrowing_kind.hpp>
#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>

#include "support.hpp"

namespace emulator_test {

using Catch::Matchers::ContainsSubstring;

// What every report must say, whatever its kind.
inline void check_text(finding const& found, emulator::options const& options) {
  CAPTURE(found.text);
  CHECK_THAT(found.text, ContainsSubstring(emulator::name_of(found.kind)));
  CHECK_THAT(found.text, ContainsSubstring("seed=" + std::to_string(options.seed)));
  CHECK_THAT(found.text, ContainsSubstring("schedule="));
  CHECK_THAT(found.text, ContainsSubstring("warp " + std::to_string(found.warp)));
  CHECK_THAT(found.text, ContainsSubstring("block (0,0,0)"));
  if (found.where.line != 0) {
    std::string const file = found.where.file;
    CHECK_THAT(found.text, ContainsSubstring(file.substr(file.rfind('/') + 1) + ":" + std::to_string(found.where.line)));
  }
  std::size_t const map = found.text.find('[');
  REQUIRE(map != std::string::npos);
  REQUIRE(found.text.size() > map + 33);
  CHECK(found.text[map + 33] == ']');
}

template <class Kernel, class Check>
void expect(finding_kind kind, extent block, Kernel kernel, Check check, std::uint64_t most_idle_yields = 1 << 22) {
  for_each_schedule([&](emulator::options options) {
    options.most_idle_yields = most_idle_yields;
    auto const findings = findings_of(options, block, kernel);
    CAPTURE(texts_of(findings), static_cast<int>(options.order), options.seed);
    REQUIRE(has(findings, kind));
    for (finding const& each : findings) check_text(each, options);
    check(first_of(findings, kind));

    // Not collected, it is thrown, and what() is the report.
    options.findings = nullptr;
    if (kind == finding_kind::relies_on_exit) {
      std::string const written = written_to_stderr([&] { CHECK_NOTHROW(run(options, {1, 1, 1}, block, kernel)); });
      CHECK(written == texts_of(findings).substr(0, written.size()));
      CHECK_THAT(written, ContainsSubstring("note: "));
      return;
    }
    try {
      run(options, {1, 1, 1}, block, kernel);
      FAIL("nothing was thrown");
    } catch (emulator::emulation_error const& error) {
      CHECK(error.what() == error.first.text);
      CHECK(has(findings, error.first.kind));
    }
  });
}

template <class Kernel>
void expect_clean(extent block, Kernel kernel) {
  for_each_schedule([&](emulator::options options) { CHECK(texts_of(findings_of(options, block, kernel)) == ""); });
}

// Every run has the finding, and nothing else that is no note.
template <class Kernel, class Check>
void expect_only(finding_kind kind, extent block, Kernel kernel, Check check) {
  for_each_schedule([&](emulator::options options) {
    auto const findings = findings_of(options, block, kernel);
    CAPTURE(texts_of(findings), static_cast<int>(options.order), options.seed);
    REQUIRE(has(findings, kind));
    for (finding const& each : findings) {
      CHECK((each.is_note || each.kind == kind));
      CHECK_THAT(each.text, ContainsSubstring("seed=" + std::to_string(options.seed)));
    }
    check(first_of(findings, kind));

    options.findings = nullptr;
    CHECK_THROWS_AS(run(options, {1, 1, 1}, block, kernel), emulator::emulation_error);
  });
}

// A lane comes to a narrowing that no vote meets in.
inline void come_to(muster::narrowing_kind which, std::uint32_t mask, int line, int width = 32, std::uint32_t number = 0, muster::roll_answer said = muster::roll_answer::here) {
  emulator::roll_call(which, mask, width, number, said, {"kernel.cu", line});
}

}  // namespace emulator_test
