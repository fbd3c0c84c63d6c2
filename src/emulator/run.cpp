// Distributes the blocks of a grid, or companies of blocks that run at once, over OS threads and gathers what they found. The outcome depends on the options alone:
// they are taken in ascending order, so the lowest that went wrong always runs to its end, whichever thread has it.
#include <muster/emulator/run.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <muster/core/launch_limits.hpp>

#include "branch_counts.hpp"
#include "company.hpp"
#include "fault_watch.hpp"
#include "idle_watch.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// Machines keep their lanes' stacks; a run borrows one for each OS thread.
class machine_pool {
 public:
  std::unique_ptr<machine> borrow(std::size_t stack_bytes) {
    std::lock_guard const guard(access_);
    for (auto& each : idle_) {
      if (each->stack_bytes != stack_bytes) continue;
      std::swap(each, idle_.back());
      auto found = std::move(idle_.back());
      idle_.pop_back();
      return found;
    }
    if (!idle_.empty()) idle_.pop_back();  // of another size: the new one takes its place, so that the stacks of all sizes remain within the system's bounds
    return std::make_unique<machine>(stack_bytes);
  }

  void free_idle() {
    std::lock_guard const guard(access_);
    idle_.clear();
  }

  void give_back(std::unique_ptr<machine> used) {
    std::lock_guard const guard(access_);
    if (idle_.size() < most_idle()) idle_.push_back(std::move(used));
  }

 private:
  static std::size_t most_idle() { return std::max(16u, std::thread::hardware_concurrency()); }  // a cluster's worth

  std::mutex access_;
  std::vector<std::unique_ptr<machine>> idle_;
};

machine_pool& pool() {
  static machine_pool shared_by_all;
  return shared_by_all;
}

struct found_in_block {
  std::uint64_t block = 0;
  finding what;
};

// What the OS threads of a run share.
struct progress {
  launch job;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> failed{~std::uint64_t{0}};  // the lowest company after which no other need run
  std::vector<idle_seat> seats;                          // one of each OS thread
  std::atomic<std::size_t> next_seat{0};

  std::mutex access;
  std::vector<found_in_block> findings;
  std::vector<branch_count> branches;
  std::uint64_t threw = ~std::uint64_t{0};  // the lowest block in which the kernel threw
  std::exception_ptr thrown;
  std::string thrown_at;
  std::exception_ptr trouble;  // the emulator itself could not go on

  void stop_after(std::uint64_t company) {
    std::uint64_t known = failed.load();
    while (company < known && !failed.compare_exchange_weak(known, company)) {
    }
  }

  static bool has_finding(machine const& worker) {
    return std::any_of(worker.findings.begin(), worker.findings.end(), [](recorded_finding const& each) { return !each.found.is_note; });
  }

  void gather(machine& worker, std::uint64_t company, std::uint64_t block) {
    bool const wrong = worker.failure != nullptr || (!worker.collecting() && has_finding(worker));
    if (wrong) stop_after(company);
    if (worker.findings.empty() && worker.failure == nullptr) return;
    std::lock_guard const guard(access);
    for (recorded_finding& each : worker.findings) findings.push_back({block, std::move(each.found)});
    if (worker.failure != nullptr && block < threw) {
      threw = block;
      thrown = worker.failure;
      thrown_at = "thread " + place_text(worker.failed_lane->details->place.thread) + " of block " + place_text(worker.block_index);
    }
    worker.failure = nullptr;
  }

  void gather_branches(machine const& worker) {
    if (worker.branches.empty()) return;
    std::lock_guard const guard(access);
    for (branch_count const& each : worker.branches) count(branches, each.where, each.rounds, each.lanes);
  }

  void work() {
    idle_watch watch(seats, next_seat++, job.settings.most_idle_yields);
    try {
      fault_watch const watched;
      companies const cut(job);
      std::vector<std::unique_ptr<machine>> workers;
      std::vector<machine*> together;
      for (std::uint64_t i = 0; i < cut.blocks_of_one(); ++i) {
        workers.push_back(pool().borrow(job.settings.stack_bytes));
        workers.back()->watch = &watch;
        workers.back()->noted.clear();
        workers.back()->branches.clear();
        together.push_back(workers.back().get());
      }
      bool const is_alone = job.together.cluster.volume() == 0 && !job.together.is_cooperative;
      for (std::uint64_t company = next++; company < cut.count() && company <= failed.load(); company = next++) {
        watch.start_blocks();
        if (is_alone) together.front()->run_block(job, company);
        else run_company(job, cut, company, together);
        for (std::size_t i = 0; i < together.size(); ++i) gather(*together[i], company, cut.block_number(company, i));
      }
      for (auto const& each : workers) gather_branches(*each);
      for (auto& each : workers) pool().give_back(std::move(each));
    } catch (...) {
      stop_after(0);
      std::lock_guard const guard(access);
      if (trouble == nullptr) trouble = std::current_exception();
    }
  }
};

// To the kernel every stack is a mapping, and so is what lies below it; Linux allows a process 65,530 unless told otherwise.
constexpr int most_mappings = 60'000;

int thread_count(launch const& job) {
  companies const cut(job);
  std::uint64_t wanted = static_cast<std::uint64_t>(job.settings.threads);
  if (wanted == 0) {
    wanted = std::max(1u, std::thread::hardware_concurrency());
    wanted = std::min<std::uint64_t>(wanted, std::max<std::uint64_t>(1, most_mappings / (2 * job.block.volume() * cut.blocks_of_one())));
  }
  return static_cast<int>(std::min<std::uint64_t>(wanted, cut.count()));
}

std::string shape_text(extent shape) {
  return std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " + std::to_string(shape.z);
}

void refuse_bad_input(launch const& job) {
  auto const refuse = [](std::string const& reason) { throw std::invalid_argument("muster emulator: " + reason); };
  if (char const* const trouble = trouble_with_grid(job.grid)) refuse(trouble + (", asked for " + shape_text(job.grid) + " blocks"));
  if (char const* const trouble = trouble_with_block(job.block)) refuse(trouble + (", asked for " + shape_text(job.block) + " threads"));
  if (job.settings.threads < 0) refuse("options.threads is negative: " + std::to_string(job.settings.threads));
  if (job.settings.stack_bytes < 16 * 1024) refuse("options.stack_bytes is below 16384: " + std::to_string(job.settings.stack_bytes));
  if (job.settings.stack_bytes > std::size_t{1} << 40) refuse("options.stack_bytes is above 2^40: " + std::to_string(job.settings.stack_bytes));
  if (job.settings.order > schedule::lockstep) refuse("options.order is no schedule");
  if (job.entry == nullptr) refuse("there is no kernel to run");
  if (job.together.cluster.volume() != 0) {
    if (char const* const trouble = trouble_with_cluster(job.together.cluster)) refuse(trouble + (", asked for " + shape_text(job.together.cluster)));
    if (char const* const trouble = trouble_with_grid_of_clusters(job.grid, job.together.cluster))
      refuse(trouble + (", asked for " + shape_text(job.grid) + " blocks in clusters of " + shape_text(job.together.cluster)));
  }
  if (job.together.is_cooperative && job.grid.volume() > most_blocks_at_once(job.block))
    refuse("a cooperative grid has at most " + std::to_string(most_blocks_at_once(job.block)) + " blocks of this shape, asked for " + shape_text(job.grid));
}

[[noreturn]] void rethrow_from(std::exception_ptr const& thrown, std::string const& at, options const& settings) {
  try {
    std::rethrow_exception(thrown);
  } catch (std::exception const& reason) {
    std::throw_with_nested(kernel_error("muster emulator: the kernel threw in " + at + ": " + reason.what() + "\n" + again_text(settings)));
  } catch (...) {
    std::throw_with_nested(kernel_error("muster emulator: the kernel threw in " + at + " something that is no std::exception\n" + again_text(settings)));
  }
}

}  // namespace

void free_idle_machines() { pool().free_idle(); }

}  // namespace detail

unsigned most_blocks_at_once(extent block) {
  constexpr unsigned most_threads = 16 * 1024, most_blocks = 128;
  return std::min(most_blocks, most_threads / static_cast<unsigned>(block.volume()));
}

void run(options const& options, extent grid, extent block, std::size_t shared_bytes, std::size_t dynamic_shared_bytes, void (*entry)(void*),
         void* closure, company together) {
  detail::progress all;
  all.job = {options, grid, block, shared_bytes, dynamic_shared_bytes, entry, closure, together};
  detail::refuse_bad_input(all.job);

  auto const threads = static_cast<std::size_t>(detail::thread_count(all.job));
  all.seats = std::vector<detail::idle_seat>(threads);
  std::vector<std::jthread> others;
  while (others.size() + 1 < threads) {
    try {
      others.emplace_back([&] { all.work(); });
    } catch (std::system_error const&) {
      break;  // the system has no more threads: those there are do the work
    }
  }
  for (std::size_t unused = others.size() + 1; unused < threads; ++unused) all.seats[unused].serial = 0;
  all.work();
  others.clear();
  if (all.trouble != nullptr) std::rethrow_exception(all.trouble);
  if (options.branches != nullptr) {
    detail::sort(all.branches);
    *options.branches = std::move(all.branches);
  }

  std::stable_sort(all.findings.begin(), all.findings.end(), [](auto const& a, auto const& b) { return a.block < b.block; });
  // Each OS thread made its notes; of those about one call the one from the lowest block stays.
  std::vector<detail::found_in_block> kept;
  std::vector<site> noted;
  for (auto& each : all.findings) {
    if (each.what.is_note && !detail::is_first_note(noted, each.what.where)) continue;
    kept.push_back(std::move(each));
  }
  if (options.findings != nullptr) {
    for (auto& each : kept) options.findings->push_back(std::move(each.what));
  } else {
    for (auto const& each : kept) {
      if (each.what.is_note) std::fputs(each.what.text.c_str(), stderr);
    }
    auto const first = std::find_if(kept.begin(), kept.end(), [](auto const& each) { return !each.what.is_note; });
    if (first != kept.end() && first->block < all.threw) throw emulation_error(std::move(first->what));
  }
  if (all.thrown != nullptr) detail::rethrow_from(all.thrown, all.thrown_at, options);
}

}  // namespace muster::emulator
