// How fast the emulator meets: lane-collectives per second of one core, beside what the bare fiber switches under them cost.
// Both are measured in turns within one benchmark, so that `ratio` compares them under the same clock and load.
#include <cstdint>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/context/detail/fcontext.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>

namespace {

namespace fibers = boost::context::detail;
using muster::emulator::schedule;

// The time this OS thread has run: other programs on the machine take none of it.
double seconds_of_this_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Fibers that do nothing but switch to another one, in random order, on stacks from Boost.Context's own allocator.
class bare_fibers {
 public:
  explicit bare_fibers(int count) : order_(order_length) {
    for (int i = 0; i < count; ++i) {
      stacks_.push_back(allocator_.allocate());
      contexts_.push_back(fibers::make_fcontext(stacks_.back().sp, stacks_.back().size, &body));
    }
    std::mt19937 chance(1);
    int last = 0;
    for (std::uint32_t& next : order_) {
      do next = static_cast<std::uint32_t>(chance() % contexts_.size());
      while (count > 1 && static_cast<int>(next) == last);
      last = static_cast<int>(next);
    }
    switch_times(order_length);
  }
  ~bare_fibers() {
    for (boost::context::stack_context& each : stacks_) allocator_.deallocate(each);
  }
  bare_fibers(bare_fibers const&) = delete;
  bare_fibers& operator=(bare_fibers const&) = delete;

  // Makes a number of switches and returns the seconds they took.
  double switch_times(std::uint64_t switches) {
    left_ = switches;
    double const start = seconds_of_this_thread();
    at_ = order_[0];
    fibers::transfer_t const back = fibers::jump_fcontext(contexts_[at_], this);
    contexts_[at_] = back.fctx;
    return seconds_of_this_thread() - start;
  }

 private:
  static constexpr std::uint64_t order_length = 1 << 16;

  static void body(fibers::transfer_t from) {
    auto* const all = static_cast<bare_fibers*>(from.data);
    all->arrived_from(from);
    for (;;) {
      if (--all->left_ == 0) {
        fibers::fcontext_t const host = all->host_;
        all->host_ = nullptr;
        all->arrived_from(fibers::jump_fcontext(host, all));
        continue;
      }
      all->previous_ = all->at_;
      all->at_ = all->order_[all->left_ % order_length];
      if (all->at_ == all->previous_) continue;
      all->arrived_from(fibers::jump_fcontext(all->contexts_[all->at_], all));
    }
  }
  void arrived_from(fibers::transfer_t from) {
    if (host_ == nullptr) {
      host_ = from.fctx;
    } else {
      contexts_[previous_] = from.fctx;
    }
  }

  std::vector<fibers::fcontext_t> contexts_;
  std::vector<std::uint32_t> order_;
  boost::context::protected_fixedsize_stack allocator_{128 * 1024};
  std::vector<boost::context::stack_context> stacks_;
  fibers::fcontext_t host_ = nullptr;
  std::uint64_t left_ = 0;
  std::uint32_t at_ = 0, previous_ = 0;
};

constexpr std::uint64_t measured_at_once = 1 << 20;

void raw_switch(benchmark::State& state, int lanes) {
  bare_fibers all(lanes);
  double seconds = 0;
  for (auto _ : state) {
    double const took = all.switch_times(measured_at_once);
    state.SetIterationTime(took);
    seconds += took;
  }
  state.counters["switches_per_second"] = static_cast<double>(state.iterations() * measured_at_once) / seconds;
}

struct work {
  int trips = 0;
  std::uint32_t sum = 0;
};

void shuffle_often(void* closure) {
  auto* const todo = static_cast<work*>(closure);
  auto value = static_cast<std::uint32_t>(muster::emulator::here().linear);
  for (int i = 0; i < todo->trips; ++i) {
    std::uint32_t other;
    muster::emulator::shuffle(muster::shuffle_mode::bfly, 0xffffffffu, &value, &other, sizeof value, static_cast<unsigned>(i & 31), 31u,
                              muster::site::here());
    value += other;
  }
  todo->sum += value;
}

void shuffle_in_tiles(void* closure) {
  auto* const todo = static_cast<work*>(closure);
  auto value = static_cast<std::uint32_t>(muster::emulator::here().linear);
  std::uint32_t const mask = 0xffu << (value & 24u);
  for (int i = 0; i < todo->trips; ++i) {
    std::uint32_t other;
    muster::emulator::shuffle(muster::shuffle_mode::bfly, mask, &value, &other, sizeof value, static_cast<unsigned>(i & 7), 0x181fu,
                              muster::site::here());
    value += other;
  }
  todo->sum += value;
}

void ballot_often(void* closure) {
  auto* const todo = static_cast<work*>(closure);
  std::uint32_t value = static_cast<std::uint32_t>(muster::emulator::here().linear);
  for (int i = 0; i < todo->trips; ++i) value += muster::emulator::ballot(0xffffffffu, (value & 1u) != 0, muster::site::here());
  todo->sum += value;
}

void emulated(benchmark::State& state, int lanes, schedule order, void (*kernel)(void*)) {
  bare_fibers bare(lanes);
  work todo;
  todo.trips = static_cast<int>(measured_at_once) / lanes;
  std::vector<muster::emulator::finding> findings;
  muster::emulator::options options;
  options.order = order;
  options.threads = 1;
  options.findings = &findings;
  double meeting = 0, switching = 0;
  for (auto _ : state) {
    ++options.seed;
    switching += bare.switch_times(measured_at_once);
    double const start = seconds_of_this_thread();
    muster::emulator::run(options, {1, 1, 1}, {static_cast<unsigned>(lanes), 1, 1}, 0, 0, kernel, &todo);
    double const took = seconds_of_this_thread() - start;
    state.SetIterationTime(took);
    meeting += took;
  }
  benchmark::DoNotOptimize(todo.sum);
  if (!findings.empty()) state.SkipWithError("the kernel broke a rule");
  auto const collectives = static_cast<double>(state.iterations() * measured_at_once);
  state.counters["lane_collectives_per_second"] = collectives / meeting;
  state.counters["raw_switches_per_second"] = collectives / switching;
  state.counters["ratio"] = switching / meeting;
}

struct case_of {
  char const* operation;
  void (*kernel)(void*);
};

int const registered = [] {
  for (int lanes : {32, 256, 1024}) {
    std::string const suffix = "/lanes:" + std::to_string(lanes);
    benchmark::RegisterBenchmark(("emulator/raw_switch" + suffix).c_str(), raw_switch, lanes)->UseManualTime();
    for (case_of each : {case_of{"shuffle", shuffle_often}, case_of{"shuffle_tiles_of_8", shuffle_in_tiles}, case_of{"ballot", ballot_often}}) {
      std::string const name = std::string("emulator/") + each.operation + "/random" + suffix;
      benchmark::RegisterBenchmark(name.c_str(), emulated, lanes, schedule::random, each.kernel)->UseManualTime();
    }
  }
  benchmark::RegisterBenchmark("emulator/shuffle/ascending/lanes:256", emulated, 256, schedule::ascending, shuffle_often)->UseManualTime();
  benchmark::RegisterBenchmark("emulator/shuffle/descending/lanes:256", emulated, 256, schedule::descending, shuffle_often)->UseManualTime();
  benchmark::RegisterBenchmark("emulator/shuffle/lockstep/lanes:256", emulated, 256, schedule::lockstep, shuffle_often)->UseManualTime();
  return 0;
}();

}  // namespace

BENCHMARK_MAIN();
