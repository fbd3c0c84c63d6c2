// A kernel that ends its process: run in a child.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

namespace emulator_test {

struct ended {
  int status = 0;
  std::string said;
};

// What a body says, and how it ends, in a process that handles faults so.
template <class Body>
ended end_of_process(Body body, void (*on_fault)(int) = SIG_DFL) {
  ended result;
  result.said = written_to_stderr([&] {
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      rlimit const no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      for (int const each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) std::signal(each, on_fault);
      body();
      _exit(0);
    }
    waitpid(child, &result.status, 0);
  });
  return result;
}

// The same of a kernel, one block of 64 lanes, with so many bytes of stack a lane.
template <class Kernel>
ended in_child(std::size_t stack_bytes, Kernel kernel, void (*on_fault)(int) = SIG_DFL, std::size_t shared_bytes = 0, std::size_t dynamic_bytes = 0) {
  return end_of_process([&] {
    emulator::options options;
    options.stack_bytes = stack_bytes;
    options.threads = 1;
    run(options, {1, 1, 1}, {64, 1, 1}, kernel, shared_bytes, dynamic_bytes);
  }, on_fault);
}

// It ended by the signal, and was told before, in these words, of thread 37 and its last call.
inline void check_told_of_lane(ended const& found, std::string const& words, int signal, std::string const& last_call) {
  using Catch::Matchers::ContainsSubstring;
  CAPTURE(found.said);
  CHECK(WIFSIGNALED(found.status));
  CHECK(WTERMSIG(found.status) == signal);
  CHECK_THAT(found.said, ContainsSubstring(words));
  CHECK_THAT(found.said, ContainsSubstring("block (0,0,0), warp 1, lane 5, thread (37,0,0); its last call that named a place is " + last_call));
  CHECK_THAT(found.said, ContainsSubstring("seed=1"));
}

}  // namespace emulator_test
