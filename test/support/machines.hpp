// Every machine that this build can run a kernel on: the emulator in several schedules and, in a build by nvcc, the GPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>

namespace test {

inline constexpr bool built_by_nvcc =
#if defined(__CUDACC__)
    true;
#else
    false;
#endif

// A machine and, if it is the emulator, the order in which it runs lanes. Not a template, so that what a test expects is compiled once.
class machine {
 public:
  explicit machine(muster::emulator::options options, std::string name) : options_{options}, name_{std::move(name)} {}
  static machine gpu() {
    machine result({}, "GPU");
    result.is_gpu_ = true;
    return result;
  }

  std::string const& name() const { return name_; }
  bool is_gpu() const { return is_gpu_; }

  // Launches the kernel, waits for its end; throws what the launch or the kernel throws.
  template <class Dims, class Kernel, class... Args>
  void run(muster::grid_dims grid, Dims dims, muster::dynamic_shared_size dynamic, Kernel const& kernel, Args... args) const {
    launch_and_wait(grid, dims, dynamic, kernel, args...);
  }
  template <class Dims, class Kernel, class... Args>
    requires(!std::same_as<Kernel, muster::dynamic_shared_size>)
  void run(muster::grid_dims grid, Dims dims, Kernel const& kernel, Args... args) const {
    run(grid, dims, muster::dynamic_shared_size{}, kernel, args...);
  }

  // With clusters of blocks, or all blocks at once, as the launch takes it.
  template <unsigned X, unsigned Y, unsigned Z, class Dims, class Kernel, class... Args>
  void run_clusters(muster::grid_dims grid, muster::cluster_dims<X, Y, Z> clusters, Dims dims, Kernel const& kernel, Args... args) const {
    launch_and_wait(grid, clusters, dims, kernel, args...);
  }
  template <class Dims, class Kernel, class... Args>
  void run_cooperative(muster::grid_dims grid, Dims dims, Kernel const& kernel, Args... args) const {
    launch_and_wait(muster::cooperative, grid, dims, kernel, args...);
  }

  // The same for a kernel of a large matrix, which is compiled for one machine only: for the GPU by nvcc, else for the emulator.
  template <class Dims, class Kernel, class... Args>
  void run_in_matrix(Dims dims, Kernel const& kernel, Args... args) const {
#if defined(__CUDACC__)
    muster::launch(muster::on_device(), muster::grid_dims(1), dims, kernel, args...);
    muster::wait(muster::on_device());
#else
    muster::launch(muster::on_emulator(options_), muster::grid_dims(1), dims, kernel, args...);
#endif
  }

  // Memory of this machine.
  template <class T>
  muster::buffer<T> memory(std::size_t size) const {
#if defined(__CUDACC__)
    if (is_gpu_) return muster::buffer<T>(muster::on_device(), size);
#endif
    return muster::buffer<T>(muster::on_emulator(options_), size);
  }
  template <class T>
  muster::buffer<T> memory(std::vector<T> const& values) const {
    auto result = memory<T>(values.size());
    result.copy_from(std::span<T const>(values));
    return result;
  }

 private:
  // What comes after the target.
  template <class... LaunchArgs>
  void launch_and_wait(LaunchArgs const&... args) const {
#if defined(__CUDACC__)
    if (is_gpu_) {
      muster::launch(muster::on_device(), args...);
      muster::wait(muster::on_device());
      return;
    }
#endif
    muster::launch(muster::on_emulator(options_), args...);
  }

  muster::emulator::options options_;
  std::string name_;
  bool is_gpu_ = false;
};

// The emulator in all its schedules. The same source built by nvcc runs few of them: the plain build has run them all.
inline std::vector<machine> emulators() {
  using muster::emulator::schedule;
  std::vector<machine> result;
  auto const add = [&](schedule order, std::uint64_t seed, char const* name) {
    muster::emulator::options options;
    options.seed = seed;
    options.order = order;
    options.threads = 1;
    result.emplace_back(options, name);
  };
  add(schedule::random, 1, "emulator, random, seed 1");
  if (!built_by_nvcc) {
    add(schedule::random, 2, "emulator, random, seed 2");
    add(schedule::random, 20240229, "emulator, random, seed 20240229");
    add(schedule::ascending, 3, "emulator, ascending");
    add(schedule::descending, 4, "emulator, descending");
  }
  add(schedule::lockstep, 5, "emulator, lockstep");
  return result;
}

// f(machine) on each. Last statement of a test or section: where nvcc built it and there is no GPU, it skips with a message after all emulators have run.
template <class F>
void for_each_machine(F const& f) {
  for (machine const& on : emulators()) f(on);
  if (!built_by_nvcc) return;
  if (!muster::has_device()) SKIP("there is no GPU here; this test ran on the emulator only");
  f(machine::gpu());
}

// The same for a large matrix: the emulator in the plain build, and a GPU in the one by nvcc, so that no source is compiled for the emulator twice.
template <class F>
void for_each_machine_of_matrix(F const& f) {
  if constexpr (built_by_nvcc) {
    if (!muster::has_device()) SKIP("there is no GPU here; the same test without nvcc runs this matrix on the emulator");
    f(machine::gpu());
  } else {
    for (machine const& on : emulators()) f(on);
  }
}

}  // namespace test
