// Running a lambda as an emulated kernel, under each schedule and several seeds.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>

namespace emulator_test {

namespace emulator = muster::emulator;
using emulator::finding;
using emulator::finding_kind;
using emulator::schedule;
using muster::extent;
using muster::site;

inline constexpr schedule all_schedules[] = {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep};
inline constexpr std::uint64_t some_seeds[] = {1, 2, 3, 77};
inline constexpr std::uint32_t full = 0xffffffffu;

template <class Kernel>
void run(emulator::options const& options, extent grid, extent block, Kernel&& kernel, std::size_t shared = 0, std::size_t dynamic_shared = 0) {
  auto* called = &kernel;
  emulator::run(options, grid, block, shared, dynamic_shared, [](void* closure) { (**static_cast<decltype(called)*>(closure))(); }, &called);
}

// The findings of one block.
template <class Kernel>
std::vector<finding> findings_of(emulator::options options, extent block, Kernel&& kernel) {
  std::vector<finding> findings;
  options.findings = &findings;
  run(options, {1, 1, 1}, block, kernel);
  return findings;
}

template <class Body>
void for_each_schedule(Body&& body) {
  for (schedule order : all_schedules) {
    for (std::uint64_t seed : some_seeds) {
      emulator::options options;
      options.order = order;
      options.seed = seed;
      options.threads = 1;
      body(options);
    }
  }
}

// A correct kernel must be quiet whatever the order: more seeds than usual.
template <class Kernel>
std::string reports_of_many_runs(extent block, Kernel&& kernel) {
  std::string all;
  for (schedule order : all_schedules) {
    for (std::uint64_t seed = 1; seed <= (order == schedule::random ? 50 : 2); ++seed) {
      emulator::options options;
      options.order = order;
      options.seed = seed;
      options.threads = 1;
      for (finding const& each : findings_of(options, block, kernel)) all += each.text + "\n";
    }
  }
  return all;
}

// What the body writes to stderr.
template <class Body>
std::string written_to_stderr(Body&& body) {
  std::fflush(stderr);
  std::FILE* const kept = std::tmpfile();
  int const before = dup(STDERR_FILENO);
  dup2(fileno(kept), STDERR_FILENO);
  body();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(kept);
  std::string text;
  for (int c = std::fgetc(kept); c != EOF; c = std::fgetc(kept)) text += static_cast<char>(c);
  std::fclose(kept);
  return text;
}

inline int lane() { return emulator::here().linear % 32; }

inline std::uint32_t shuffle_idx(std::uint32_t mask, std::uint32_t value, int source, site where = site::here()) {
  std::uint32_t received;
  emulator::shuffle(muster::shuffle_mode::idx, mask, &value, &received, sizeof value, static_cast<unsigned>(source), 31u, where);
  return received;
}

inline bool has(std::vector<finding> const& findings, finding_kind kind) {
  for (finding const& each : findings) {
    if (each.kind == kind) return true;
  }
  return false;
}

inline finding first_of(std::vector<finding> const& findings, finding_kind kind) {
  for (finding const& each : findings) {
    if (each.kind == kind) return each;
  }
  return {};
}

inline std::string texts_of(std::vector<finding> const& findings) {
  std::string all;
  for (finding const& each : findings) all += each.text + "\n";
  return all;
}

}  // namespace emulator_test
