// A block from its start to its end: its lanes are made, run in turns, and unwound where it has to end early.
#include "machine.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cxxabi.h>
#include <stdexcept>
#include <system_error>

#include "block_roll_call.hpp"
#include "diagnosis.hpp"
#include "idle_watch.hpp"
#include "meeting.hpp"
#include "roll_call.hpp"

namespace muster::emulator::detail {

constinit thread_local running_lane running [[gnu::tls_model("initial-exec")]];

namespace {

// A stream of numbers of its own for each block and purpose, so that neither depends on the OS thread that runs the block.
constexpr std::uint64_t schedule_stream = 0, poison_stream = 1, memory_stream = 2;
std::uint64_t stream(std::uint64_t block_number, std::uint64_t purpose) { return block_number * 4 + purpose; }

// A lane that swallows the order to end this often is left where it is: its destructors never run, but the block ends.
constexpr int most_aborts = 1000;

std::atomic<std::uint64_t> blocks_run{0};

extent place_of(std::uint64_t number, extent shape) {
  return {static_cast<unsigned>(number % shape.x), static_cast<unsigned>(number / shape.x % shape.y),
          static_cast<unsigned>(number / shape.x / shape.y)};
}

// The system limits how many there are, and machines that nobody uses have some.
std::unique_ptr<stack_slab> stacks_for(int lanes, std::size_t bytes) {
  try {
    return std::make_unique<stack_slab>(lanes, bytes);
  } catch (std::system_error const&) {
    free_idle_machines();
    return std::make_unique<stack_slab>(lanes, bytes);
  }
}

}  // namespace

machine::machine(std::size_t bytes) : stack_bytes(bytes) { host().thread = max_lanes; }

void machine::place_shared_memory() {
  try {
    memory.place(job->shared_bytes, job->dynamic_shared_bytes);
  } catch (std::system_error const&) {
    free_idle_machines();
    memory.place(job->shared_bytes, job->dynamic_shared_bytes);
  }
  shared = memory.of_kernel();
  dynamic_shared = memory.dynamic();
  last_met = {};
}

std::size_t machine::place_in_shared(void const* address, std::size_t bytes) const {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  auto const offset_in = [&](unsigned char const* memory, std::size_t size) {
    auto const begin = reinterpret_cast<std::uintptr_t>(memory);
    return at >= begin && at - begin < size && bytes <= size - (at - begin) ? at - begin : nowhere;
  };
  std::size_t const in_shared = offset_in(shared, job->shared_bytes);
  if (in_shared != nowhere) return in_shared;
  std::size_t const in_dynamic = offset_in(dynamic_shared, job->dynamic_shared_bytes);
  return in_dynamic == nowhere ? nowhere : job->shared_bytes + in_dynamic;
}

void machine::start_block(std::uint64_t block_number) {
  lanes_in_block = static_cast<int>(job->block.volume());
  block_index = place_of(block_number, job->grid);
  block_serial = blocks_run.fetch_add(1, std::memory_order_relaxed) + 1;
  if (stacks_ == nullptr || stacks_->count() < lanes_in_block) {
    stacks_.reset();
    stacks_ = stacks_for(lanes_in_block, stack_bytes);
  }
  std::uint64_t const seed = job->settings.seed;
  place_shared_memory();
  random_numbers contents(seed, stream(block_number, memory_stream));
  fill_poison(contents, shared, job->shared_bytes);
  fill_poison(contents, dynamic_shared, job->dynamic_shared_bytes);
  poisons = random_numbers(seed, stream(block_number, poison_stream));
  ready.start(job->settings.order, random_numbers(seed, stream(block_number, schedule_stream)));
  aborting = false;
  idle_yields = 0;
  stands_back = false;
  for (shared_result& each : results) each = {};
  if (watches_accesses()) {
    if (accesses == nullptr) accesses = std::make_unique<access_history>();
    accesses->start(rank_in_cluster, lanes_in_block, job->shared_bytes + job->dynamic_shared_bytes);
  }
  live_count = lanes_in_block;
  barrier_count = 0;
  narrowings.start();
  findings.clear();
  failure = nullptr;
  failed_lane = nullptr;

  for (int number = 0; number < warp_count(); ++number) {
    warp& home = warps[static_cast<std::size_t>(number)];
    home.number = number;
    home.first_thread = number * warp_size;
    home.existing = home.live = lane_set::range(0, std::min(warp_size, lanes_in_block - home.first_thread)).bits;
    home.waiting = home.at_barrier = home.occupied = home.called = 0;
    for (std::uint32_t& each : home.at_meeting) each = 0;
    rolls[static_cast<std::size_t>(number)].start();
    for (rendezvous& slot : home.pending) slot.mask = 0;
    ready.add(home.first_thread, home.live);
  }
  for (int thread = 0; thread < lanes_in_block; ++thread) {
    lane& each = lanes[static_cast<std::size_t>(thread)];
    contexts[thread] = fibers::make_fcontext(stacks_->top(thread), stacks_->usable_bytes(thread), &lane_main);
    watchers_.make(thread, stacks_->top(thread), stacks_->usable_bytes(thread));
    each.home = &warps[static_cast<std::size_t>(thread / warp_size)];
    each.bit = 1u << thread % warp_size;
    each.scope = all_lanes.bits;
    each.where = {};
    each.thread = static_cast<std::uint16_t>(thread);
    each.number = static_cast<std::uint8_t>(thread % warp_size);
    each.state = lane_state::fresh;
    each.context = 0;
    each.details = &details[static_cast<std::size_t>(thread)];
    *each.details = {};
    each.details->place = {place_of(static_cast<std::uint64_t>(thread), job->block), block_index, job->block, job->grid, thread, rank_in_cluster};
  }
}

void machine::run_block(launch const& launched, std::uint64_t block_number) {
  begin_block(launched, block_number, {}, nullptr, 0, nullptr);
  resume();
  end_block();
}

void machine::begin_block(launch const& launched, std::uint64_t block_number, std::vector<machine*> const& with, meeting* cluster, unsigned rank, meeting* grid) {
  job = &launched;
  exceptions = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
  companions = with.empty() ? nullptr : &with;
  meets[static_cast<int>(block_company::cluster)] = cluster;
  meets[static_cast<int>(block_company::grid)] = grid;
  rank_in_cluster = rank;
  start_block(block_number);
}

void machine::resume() {
  running_lane const outer = running;
  running = {this, &host()};
  switch_to(host(), ready.pick());
  running = outer;
}

void machine::end_block() {
  running_lane const outer = running;
  running = {this, &host()};
  if (aborting) unwind_lanes();
  find_overruns(*this, shared_memory::extent_of_search::all, {}, of_block);
  running = outer;
  finish_findings(*this);
}

void machine::lane_main(fibers::transfer_t from) {
  *static_cast<fibers::fcontext_t*>(from.data) = from.fctx;
  auto const [block, self] = running;
  block->watchers_.begin(self->thread, from.data == &block->contexts[max_lanes]);
  self->state = lane_state::started;
  try {
    block->job->entry(block->job->closure);
  } catch (aborted const&) {
  } catch (...) {
    if (!block->aborting) {
      block->failure = std::current_exception();
      block->failed_lane = self;
      block->abort_block();
    }
  }
  block->finish(*self);
}

void machine::finish(lane& self) {
  self.state = lane_state::finished;
  if (aborting) leave_for_host(self);
  warp& home = *self.home;
  home.live &= ~self.bit;
  --live_count;
  idle_yields = 0;
  for (std::uint32_t left = home.occupied; left != 0; left &= left - 1) {
    rendezvous& waiting = home.pending[std::countr_zero(left)];
    if ((waiting.mask & self.bit) != 0 && (waiting.mask & home.live & ~waiting.arrived) == 0) complete(home, waiting);
  }
  leave_rolls(*this, self);
  leave_copies(*this, self);
  if (barrier_count != 0 && barrier_count == live_count) complete_barrier();
  if (companions != nullptr) leave_meetings(*this);
  if (live_count == 0 && !aborting) end_block_roll(*this);
  if (aborting || live_count == 0) leave_for_host(self);
  int const next = ready.pick();
  if (next < 0) {
    if (companions == nullptr) {
      diagnose_standstill(*this);
      abort_block();
    }
    leave_for_host(self);
  }
  switch_to(self, next);
  std::terminate();  // nobody resumes a finished lane
}

void machine::leave_for_host(lane& self) {
  jump(self, max_lanes);
  std::terminate();
}

void machine::abort_block() {
  auto const abort = [](machine& block) {
    block.aborting = true;
    for (int thread = 0; thread < block.lanes_in_block; ++thread) block.lanes[static_cast<std::size_t>(thread)].scope = 0;
  };
  if (companions == nullptr) return abort(*this);
  for (machine* const each : *companions) abort(*each);
}

void machine::leave_aborted(lane& self) {
  switch_to(self, max_lanes);
  end_lane(self);
}

void machine::end_lane(lane& self) {
  if (std::uncaught_exceptions() > 0) return;
  if (++self.details->aborts > most_aborts) abandon_lane(self);
  throw aborted{};
}

void machine::abandon_lane(lane& self) {
  self.state = lane_state::finished;
  *exceptions = {};
  leave_for_host(self);
}

void machine::unwind_lanes() {
  for (int thread = 0; thread < lanes_in_block; ++thread) {
    lane& each = lanes[static_cast<std::size_t>(thread)];
    while (each.state == lane_state::started || each.state == lane_state::spinning) switch_to(host(), thread);
  }
}

void machine::stuck(lane& self) { companions != nullptr ? suspend(self) : give_up(self); }

void machine::suspend(lane& self) {
  switch_to(self, max_lanes);
  if (aborting) end_lane(self);
}

void machine::give_up(lane& self) {
  diagnose_standstill(*this);
  abort_block();
  leave_aborted(self);
}

void machine::switch_within_handler(lane& self, int thread) {
  exception_globals const mine = *exceptions;
  *exceptions = {};
  jump(self, thread);
  *exceptions = mine;
}

void machine::complete_barrier() {
  if (live_count != lanes_in_block) [[unlikely]] report_barrier_of_fewer(*this);
  end_block_roll(*this);
  if (accesses != nullptr) accesses->sync_block();
  find_overruns(*this, shared_memory::extent_of_search::near, site_of_barrier(*this), of_block);
  for (int number = 0; number < warp_count(); ++number) {
    warp& home = warps[static_cast<std::size_t>(number)];
    if (home.at_barrier != 0) ready.add(home.first_thread, home.at_barrier);
    home.at_barrier = 0;
  }
  barrier_count = 0;
}

void called_outside_kernel() { throw std::logic_error("muster emulator: a warp operation was called outside a kernel; run it with emulator::run or launch"); }

}  // namespace muster::emulator::detail

namespace muster::emulator {

void yield() {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  self->state = detail::lane_state::spinning;
  std::uint64_t const idle = ++block->idle_yields;
  bool const is_with_others = block->companions != nullptr;  // then they share one bound (company.cpp)
  bool const looks = !is_with_others && (idle % detail::idle_watch::interval == 0 || (idle > block->job->settings.most_idle_yields && block->watch->is_alone()));
  if (looks && block->watch->is_over(idle)) return block->give_up(*self);
  block->ready.add_yielding(self->thread);
  // What all lanes of the block wait for may be another block's to do.
  bool const is_round = is_with_others && idle % static_cast<std::uint64_t>(2 * block->lanes_in_block) == 0;
  is_round ? block->suspend(*self) : block->wait(*self);
  self->state = detail::lane_state::started;
}

}  // namespace muster::emulator
