// A kernel that leaves its block's shared memory, or follows a pointer to nowhere: a little beside is found when the block meets or ends, the rest ends the process, which says why.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/block_company.hpp>
#include <muster/core/extent.hpp>

#include "in_child.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

namespace {

unsigned char* shared() { return static_cast<unsigned char*>(emulator::shared_memory()); }
unsigned char* dynamic() { return static_cast<unsigned char*>(emulator::dynamic_shared_memory()); }

// The compiler must not know where it writes.
[[gnu::noinline]] void put(unsigned char* object, std::ptrdiff_t byte, std::size_t count = 4) {
  unsigned char* volatile const hidden = object;
  std::memset(hidden + byte, 0x11, count);
}

struct memory {
  std::size_t of_kernel, dynamic;
};

template <class Kernel>
std::vector<finding> found_in(emulator::options options, memory bytes, Kernel kernel) {
  std::vector<finding> findings;
  options.findings = &findings;
  run(options, {1, 1, 1}, {40, 1, 1}, kernel, bytes.of_kernel, bytes.dynamic);
  return findings;
}

// One finding, which says this; and without a list it is thrown.
template <class Kernel>
void expect_overrun(memory bytes, char const* words, int line, Kernel kernel) {
  for_each_schedule([&](emulator::options options) {
    auto const findings = found_in(options, bytes, kernel);
    CAPTURE(texts_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == finding_kind::shared_memory_overrun);
    CHECK_THAT(findings[0].text, ContainsSubstring(words));
    CHECK(findings[0].where.line == line);
    CHECK_THROWS_AS(run(options, {1, 1, 1}, {40, 1, 1}, kernel, bytes.of_kernel, bytes.dynamic), emulator::emulation_error);
  });
}

bool is_thread(int number) { return emulator::here().linear == number; }

}  // namespace

TEST_CASE("bytes written beside a block's shared memory are found when the block has ended") {
  expect_overrun({32, 0}, "`shared` has 32 bytes, and bytes 32 to 35 were written, by a thread of the block since it began", 0, [] {
    if (is_thread(5)) put(shared(), 32);
  });
  expect_overrun({32, 64}, "`shared` has 32 bytes, and byte -1 was written", 0, [] {
    if (is_thread(39)) put(shared(), -1, 1);
  });
  expect_overrun({32, 64}, "dynamic shared memory has 64 bytes, and bytes 900 to 903 were written", 0, [] {
    if (is_thread(0)) put(dynamic(), 900);
  });
  expect_overrun({1000, 64}, "dynamic shared memory has 64 bytes, and bytes -8 to -5 were written", 0, [] {
    if (is_thread(0)) put(dynamic(), -8);
  });
  expect_overrun({0, 0}, "`shared` has 0 bytes, and byte 0 was written", 0, [] {
    if (is_thread(0)) put(shared(), 0, 1);
  });
}

TEST_CASE("those next to it are found at the block's barrier, and the barrier before is named") {
  expect_overrun({32, 0}, "since all met at kernel.cu:1:", 2, [] {
    emulator::sync_block({"kernel.cu", 1});
    if (is_thread(5)) put(shared(), 32);
    emulator::sync_block({"kernel.cu", 2});
    emulator::sync_block({"kernel.cu", 3});
  });
}

namespace {

// Of two blocks that run at once, as a cluster or as a grid: one finding, of block 1, which says both.
void expect_overrun_in_company(muster::block_company which, char const* words, char const* looked_at, int line, void (*kernel)()) {
  bool const is_cluster = which == muster::block_company::cluster;
  emulator::company const company{is_cluster ? extent{2, 1, 1} : extent{0, 0, 0}, !is_cluster};
  auto const run_it = [&](emulator::options const& options) {
    emulator::run(options, {2, 1, 1}, {40, 1, 1}, 64, 0, [](void* closure) { (*static_cast<void (**)()>(closure))(); }, &kernel, company);
  };
  for_each_schedule([&](emulator::options options) {
    CHECK_THROWS_AS(run_it(options), emulator::emulation_error);
    std::vector<finding> findings;
    options.findings = &findings;
    run_it(options);
    CAPTURE(texts_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == finding_kind::shared_memory_overrun);
    CHECK(findings[0].block == extent{1, 0, 0});
    CHECK_THAT(findings[0].text, ContainsSubstring(words) && ContainsSubstring(looked_at));
    CHECK(findings[0].where.line == line);
  });
}

bool is_thread_of_block(int number, unsigned block) { return is_thread(number) && emulator::here().block.x == block; }
void put_in_block_1(std::ptrdiff_t byte) { put(static_cast<unsigned char*>(emulator::shared_of_block(shared(), 1, {"kernel.cu", 9})), byte); }
void meet(muster::block_company which, int line) { emulator::meet_blocks(which, {}, {"kernel.cu", line}); }
void meet_cluster(int line) { meet(muster::block_company::cluster, line); }

}  // namespace

TEST_CASE("in a cluster any of its threads may have written beside a block's shared memory, and its barriers are looked at too") {
  using enum muster::block_company;
  expect_overrun_in_company(cluster, "bytes 80 to 83 were written, by a thread of the cluster since all met at kernel.cu:1:", "looked at when the cluster met", 2, [] {
    meet_cluster(1);
    if (is_thread_of_block(3, 0)) put_in_block_1(80);
    meet_cluster(2);
    meet_cluster(3);
  });
  expect_overrun_in_company(cluster, "by a thread of the cluster since the block met at kernel.cu:2:", "looked at when the cluster met", 3, [] {
    meet_cluster(1);
    emulator::sync_block({"kernel.cu", 2});
    if (is_thread_of_block(3, 1)) put_in_block_1(64);
    meet_cluster(3);
  });
  expect_overrun_in_company(cluster, "by a thread of the cluster since all met at kernel.cu:1:", "looked at when the block met", 2, [] {
    meet_cluster(1);
    if (is_thread_of_block(3, 1)) put_in_block_1(64);
    emulator::sync_block({"kernel.cu", 2});
    meet_cluster(3);
  });
  expect_overrun_in_company(cluster, "bytes 500 to 503 were written, by a thread of the cluster since it began", "looked at when the block had ended", 0, [] {
    meet_cluster(1);
    if (is_thread_of_block(3, 0)) put_in_block_1(500);
    meet_cluster(2);
  });
  expect_overrun_in_company(grid, "by a thread of the block since all met at kernel.cu:1:", "looked at when the grid met", 2, [] {
    meet(grid, 1);
    if (is_thread_of_block(3, 1)) put(shared(), 64);
    meet(grid, 2);
  });
}

TEST_CASE("who stays within shared memory is left in peace, to its last byte and in the next block") {
  for_each_schedule([](emulator::options options) {
    for (memory const bytes : {memory{32, 0}, memory{0, 64}, memory{1024, 4096}, memory{33, 17}, memory{4097, 0}}) {
      auto const findings = found_in(options, bytes, [&] {
        put(shared(), 0, bytes.of_kernel);
        emulator::sync_block({"kernel.cu", 1});
        put(dynamic(), 0, bytes.dynamic);
      });
      CHECK(texts_of(findings) == "");
    }
  });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t stack = 128 * 1024;

template <class Kernel>
void expect_fault(char const* words, Kernel kernel) {
  auto const found = in_child(stack, [&] {
    emulator::sync_block({"memory_beside.cpp", 111});
    if (is_thread(37)) kernel();
  }, SIG_DFL, 32, 64);
  check_told_of_lane(found, words, SIGSEGV, "memory_beside.cpp:111");
}

[[gnu::noinline]] int read_from(std::uintptr_t address) { return *reinterpret_cast<int volatile*>(address); }
void follow_null() { read_from(0); }

}  // namespace

TEST_CASE("a fault of a lane is told of before the process ends by it") {
#if defined(__x86_64__)
  expect_fault("it reads 0x0: a null pointer", &follow_null);
  expect_fault("it writes to 0x8: a null pointer", [] { put(nullptr, 8); });
  expect_fault("an address that no machine has", [] { read_from(0xc5c5c5c5c5c5c5c4u); });
#endif
  expect_fault("(null_pointer)", &follow_null);
  expect_fault("(bad_address)", [] { read_from(std::uintptr_t{1} << 40 | 4u); });
  expect_fault("(shared_memory_overrun)", [] { put(shared(), 100'000); });
  expect_fault("0: byte -100000 of the kernel's `shared`, which has 32 bytes", [] { put(shared(), -100'000); });
  expect_fault(": byte 100000 of dynamic shared memory, which has 64 bytes", [] { put(dynamic(), 100'000); });
  for (std::ptrdiff_t const far : {300'000, 600'000, 2'000'000, 16'000'000}) {  // where other lanes' stacks could lie, were nothing between
    expect_fault((": byte " + std::to_string(far) + " of dynamic shared memory").c_str(), [far] { put(dynamic(), far); });
    expect_fault((": byte -" + std::to_string(far) + " of the kernel's `shared`").c_str(), [far] { put(shared(), -far); });
  }
}

TEST_CASE("who reaches below another lane's stack has used a bad address, and the other's stack is not full") {
  static std::uintptr_t of_another = 0;
  auto const found = in_child(stack, [] {
    unsigned char local = 0;
    if (is_thread(38)) of_another = reinterpret_cast<std::uintptr_t>(&local);
    emulator::sync_block({"memory_beside.cpp", 113});
    if (is_thread(37)) put(reinterpret_cast<unsigned char*>(of_another - (stack + 100'000)), 0);
    emulator::sync_block({"memory_beside.cpp", 114});
  });
  CAPTURE(found.said);
  CHECK(WIFSIGNALED(found.status));
  CHECK_THAT(found.said, ContainsSubstring("(bad_address)"));
  CHECK_THAT(found.said, ContainsSubstring("thread (37,0,0); its last call that named a place is memory_beside.cpp:113"));
}

TEST_CASE("whoever handles faults has those of lanes too") {
  auto const found = in_child(stack, &follow_null, [](int) { _exit(42); });
  CHECK(WIFEXITED(found.status));
  CHECK(WEXITSTATUS(found.status) == 42);
  CHECK_THAT(found.said, ContainsSubstring("null_pointer"));
}

TEST_CASE("nothing is told of a fault outside lanes, nor of a signal that somebody sends") {
  auto const elsewhere = in_child(stack, [] { std::thread(&follow_null).join(); });
  CHECK(WIFSIGNALED(elsewhere.status));
  CHECK(WTERMSIG(elsewhere.status) == SIGSEGV);
  CHECK(elsewhere.said == "");
  auto const sent = in_child(stack, [] {
    static bool was_sent = false;  // once: a second one would find the default
    if (!was_sent) {
      was_sent = true;
      raise(SIGSEGV);
    }
  });
  CHECK(WIFSIGNALED(sent.status));
  CHECK(WTERMSIG(sent.status) == SIGSEGV);
  CHECK(sent.said == "");
}

#endif
