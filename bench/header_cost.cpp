// What a header costs the compiler: CPU seconds (user and system) of a translation unit that only includes it, over an empty one. Minimum of seven.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int repetitions = 7;

// CPU seconds of a command and what it started; a negative number if it failed.
double cpu_seconds_of(std::string const& command) {
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  auto const seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct compiler {
  char const* name;
  std::string command;    // + source
  char const* extension;
};

struct header {
  char const* name;
  char const* text;
  bool needs_cuda;
};

class scratch_folder {
 public:
  scratch_folder() {
    std::string pattern = (fs::temp_directory_path() / "muster_header_cost_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::exit(1);
    path_ = pattern;
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

double minimum_seconds(compiler const& with, fs::path const& source) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    double const seconds = cpu_seconds_of(with.command + " '" + source.string() + "'");
    if (seconds < 0) return -1;
    least = std::min(least, seconds);
  }
  return least;
}

void measure(benchmark::State& state, compiler const& with, header const& what, fs::path const& folder) {
  fs::path const source = folder / (std::string("probe") + with.extension);
  fs::path const empty = folder / (std::string("empty") + with.extension);
  std::ofstream(source) << what.text << "\nint probe;\n";
  std::ofstream(empty) << "int probe;\n";
  for (auto _ : state) {
    double const floor = minimum_seconds(with, empty);
    double const full = minimum_seconds(with, source);
    if (floor < 0 || full < 0) {
      state.SkipWithError("the compiler failed");
      return;
    }
    state.SetIterationTime(std::max(full - floor, 1e-9));
    state.counters["cpu_seconds_over_empty"] = full - floor;
    state.counters["cpu_seconds_empty"] = floor;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // The headers of the checkout that built this program, unless MUSTER_INCLUDE names others: the program may have been built on another machine.
  char const* const named = std::getenv("MUSTER_INCLUDE");
  std::string const include = std::string(" -I'") + (named != nullptr ? named : MUSTER_INCLUDE_FOLDER) + "'";
  compiler const compilers[] = {
      {"nvcc", "nvcc -std=c++20 -arch=sm_90 -c -o /dev/null" + include, ".cu"},  // both passes
      {"g++", "g++ -std=c++20 -fsyntax-only" + include, ".cpp"},
  };
  header const headers[] = {
      {"muster.hpp", "#include <muster/muster.hpp>", false},
      {"launch.hpp", "#include <muster/launch.hpp>", false},
      {"cooperative_groups.h", "#include <cooperative_groups.h>", true},
      {"cooperative_groups_reduce.h", "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>", true},
      {"cub_warp_reduce.cuh", "#include <cub/warp/warp_reduce.cuh>", true},
  };
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  scratch_folder const folder;
  for (compiler const& with : compilers) {
    bool const is_nvcc = std::string(with.name) == "nvcc";
    if (cpu_seconds_of(std::string(with.name) + " --version > /dev/null 2>&1") < 0) {
      std::fprintf(stderr, "header_cost: no %s on PATH; its rows are left out\n", with.name);
      continue;
    }
    for (header const& what : headers) {
      if (what.needs_cuda && !is_nvcc) continue;
      benchmark::RegisterBenchmark((std::string("header_cost/") + with.name + "/" + what.name).c_str(),
                                   [&with, &what, &folder](benchmark::State& state) { measure(state, with, what, folder.path()); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
