// A lane that runs out of its stack ends the process, as it must, and says why: run in a child.
#include <csignal>

#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "in_child.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

[[gnu::noinline]] void fill_array() {
  unsigned char volatile array[200'000];
  for (unsigned char volatile& each : array) each = 1;
}
void large_arrays() {
  emulator::sync_block({"full_stacks.cpp", 111});
  fill_array();
}

// Two and a half stacks, with what lies between them, below its own top: where nobody may touch anything.
[[gnu::noinline]] int touch_far_end() {
  unsigned char volatile array[1'000'000];
  array[0] = 1;
  return array[0];
}

unsigned recursion(unsigned depth) {
  unsigned volatile kept[64] = {depth};
  return depth == 0 ? kept[0] : recursion(depth - 1) + kept[depth % 64];
}

}  // namespace

TEST_CASE("a lane that runs out of its stack is named before the process ends by the fault") {
  for (void (*const kernel)() : {&large_arrays, +[] { recursion(100'000); }}) {
    auto const found = in_child(128 * 1024, kernel);
    CAPTURE(found.said);
    CHECK(WIFSIGNALED(found.status));
    CHECK(WTERMSIG(found.status) == SIGSEGV);
    CHECK_THAT(found.said, ContainsSubstring("stack_overflow"));
    CHECK_THAT(found.said, ContainsSubstring("block (0,0,0), warp "));
    CHECK_THAT(found.said, ContainsSubstring("131072"));
    CHECK_THAT(found.said, ContainsSubstring("stack_bytes"));
  }
  CHECK_THAT(in_child(128 * 1024, &large_arrays).said, ContainsSubstring("full_stacks.cpp:111"));
}

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__)  // elsewhere the stack pointer is not known
TEST_CASE("a frame that reaches past the stacks of others is that of the lane that has it") {
  auto const found = in_child(128 * 1024, [] {
    emulator::sync_block({"full_stacks.cpp", 112});
    if (emulator::here().linear == 37) touch_far_end();
  });
  CAPTURE(found.said);
  CHECK(WIFSIGNALED(found.status));
  CHECK(WTERMSIG(found.status) == SIGSEGV);
  CHECK_THAT(found.said, ContainsSubstring("stack_overflow"));
  CHECK_THAT(found.said, ContainsSubstring("warp 1, lane 5, thread (37,0,0); its last call that named a place is full_stacks.cpp:112"));
}
#endif

TEST_CASE("with a larger stack the same kernel runs") {
  auto const found = in_child(512 * 1024, &large_arrays);
  CHECK(found.status == 0);
  CHECK(found.said == "");
}

#endif
