// A lane that divides by 0, stops itself, or reads behind the end of a file ends the process by a signal, and is named before.
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "in_child.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t stack_of_each = 128 * 1024;

void trap() { __builtin_trap(); }

#if defined(__x86_64__)  // others give a result
[[gnu::noinline]] int divide(int a, int b) {
  int volatile left = a, right = b;
  return left / right;
}
#endif

// One page of a file that has none.
void read_behind_a_file() {
  std::FILE* const empty = std::tmpfile();
  void* const mapped = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fileno(empty), 0);
  if (mapped != MAP_FAILED) static_cast<void>(*static_cast<char volatile*>(mapped));
}

template <class Body>
ended end_of(Body body, void (*on_fault)(int) = SIG_DFL) {
  return in_child(stack_of_each, [&] {
    emulator::sync_block({"processors.cpp", 111});
    if (emulator::here().linear == 37) body();
  }, on_fault);
}

void expect_named(char const* words, int signal, void (*body)()) {
  check_told_of_lane(end_of(body), words, signal, "processors.cpp:111");
}

#if defined(__aarch64__)
constexpr int signal_of_trap = SIGTRAP;
#else
constexpr int signal_of_trap = SIGILL;
#endif

}  // namespace

TEST_CASE("a lane that the processor stops is named before the process ends by it") {
#if defined(__x86_64__)
  expect_named("it divides an integer by 0, or overflows by dividing", SIGFPE, [] { divide(1, 0); });
  expect_named("(integer_division)", SIGFPE, [] { divide(-2147483647 - 1, -1); });
#endif
  expect_named("it stops itself (trap)", signal_of_trap, &trap);
  expect_named("behind the end of the file", SIGBUS, &read_behind_a_file);
}

TEST_CASE("whoever handles such a signal has that of a lane too") {
  for (void (*const body)() : {&trap, &read_behind_a_file}) {
    auto const found = end_of(body, [](int) { _exit(42); });
    CAPTURE(found.said);
    CHECK(WIFEXITED(found.status));
    CHECK(WEXITSTATUS(found.status) == 42);
    CHECK_THAT(found.said, ContainsSubstring("thread (37,0,0)"));
  }
}

TEST_CASE("nothing is told of such a signal outside lanes, and one that somebody sends is not lost") {
  auto const elsewhere = end_of([] { std::thread(&trap).join(); });
  CHECK(WIFSIGNALED(elsewhere.status));
  CHECK(WTERMSIG(elsewhere.status) == signal_of_trap);
  CHECK(elsewhere.said == "");
  for (int const each : {SIGBUS, SIGFPE, SIGILL}) {
    CAPTURE(each);
    auto const sent = end_of([each] { raise(each); });
    CHECK(WIFSIGNALED(sent.status));
    CHECK(WTERMSIG(sent.status) == each);
    CHECK(sent.said == "");
    auto const handled = end_of([each] { raise(each); }, [](int signal) { _exit(signal); });
    CHECK(WIFEXITED(handled.status));
    CHECK(WEXITSTATUS(handled.status) == each);
    CHECK(handled.said == "");
  }
}

#endif
