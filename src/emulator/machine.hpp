// The state of the block that one OS thread is running: its lanes as fibers, its warps with their pending collectives, and who can run.
// A collective is a rendezvous: a lane leaves its operands in its warp and switches straight to another lane that can run; the last one to
// arrive works out every member's result and lets all of them run again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <muster/core/block_company.hpp>
#include <muster/core/operator_law.hpp>
#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>

#include "access_history.hpp"
#include "fiber_switch.hpp"
#include "idle_watch.hpp"
#include "meeting.hpp"
#include "operation_key.hpp"
#include "random_numbers.hpp"
#include "ready_lanes.hpp"
#include "roll.hpp"
#include "sanitizers.hpp"
#include "shared_memory.hpp"
#include "stack_slab.hpp"

namespace muster::emulator::detail {

// What ends the lanes of a block that cannot go on. Not derived from std::exception: a kernel that catches those should not see it.
struct aborted {};

// A collective that some of its members have reached. Within a warp the mask identifies it.
struct rendezvous {
  operation_key key;
  std::uint32_t mask = 0;        // 0: nobody waits here
  std::uint32_t arrived = 0;
  std::uint32_t marked = 0;      // the members whose predicate was true, or who read outside the mask
  std::uint32_t context = 0;     // of which scope and algorithm it is; the members' must agree
};
static_assert(sizeof(rendezvous) == 24);

class machine;

// Values of up to eight bytes travel in the warp; larger ones stay where they are and are copied when all have arrived.
inline constexpr std::size_t inline_bytes = sizeof(std::uint64_t);

struct alignas(64) warp {
  std::uint32_t existing = 0;
  std::uint32_t live = 0;  // those that have not exited
  std::uint32_t waiting = 0;   // those that wait in a collective
  std::uint32_t at_barrier = 0;
  std::uint32_t at_meeting[meetings] = {};  // those that wait for other blocks
  std::uint32_t occupied = 0;    // the slots of `pending` in use
  int number = 0;
  int first_thread = 0;
  std::uint32_t called = 0;      // the members missing in some open narrowing
  rendezvous pending[warp_size];  // by the lowest lane of the mask, if free. Each lane waits in one at most, so 32 are enough.
  std::uint64_t value[warp_size];
  std::uint64_t result[warp_size];
  std::uint8_t source[warp_size];

  std::uint32_t at_any_barrier() const { return at_barrier | at_meeting[0] | at_meeting[1]; }
};

enum class lane_state : std::uint8_t { fresh, started, spinning, finished };

struct open_scope {
  std::uint32_t members = 0;
  std::uint64_t number = 0;  // the same in all members; 0: there is none
};

// A copy that a lane has begun, and not yet waited for.
struct begun_copy {
  void* to;
  void const* from;
  std::size_t bytes;
  std::uint64_t number;  // of the close that it belongs to
  site where;
};

// An operator that a lane tries on its identity or neutral value (operator_trial). type: null, or a text of the compiler's with the operator's.
struct tried_operator {
  char const* type = nullptr;
  operator_law law{};
};

// What a lane rarely needs: apart from what it needs at each collective, so that this stays dense.
struct lane_details {
  position place;
  int aborts = 0;  // how often it has been told to end
  std::uint64_t scope_number = 0;   // of the innermost one
  std::uint32_t scope_depth = 0;
  std::size_t block_narrowings = 0;  // that the lane has come to (block_roll)
  std::uint64_t results = 0, results_of_cluster = 0;  // that the lane has shown (agreement.cpp)
  std::vector<begun_copy> copies;
  std::uint64_t closed_copies = 0;
  tried_operator trial;
  static constexpr std::uint32_t shallow = 8;
  open_scope outer_scopes[shallow];
  std::vector<open_scope> deeper_scopes;
};

struct alignas(64) lane {
  warp* home = nullptr;
  std::uint32_t bit = 0;
  std::uint32_t scope = all_lanes.bits;  // the members of the innermost scope; 0 once the block is aborting
  site where;                            // of the call the lane waits in
  void const* in = nullptr;
  void* out = nullptr;
  lane_details* details = nullptr;
  std::uint16_t thread = 0;  // in the block
  std::uint8_t number = 0;   // in the warp
  lane_state state = lane_state::fresh;
  std::uint32_t context = 0;  // of the innermost scope, as a rendezvous has it
};
static_assert(sizeof(lane) == 64);

// What the C++ runtime keeps per thread about exceptions in flight (Itanium C++ ABI 2.2.2); each fiber needs its own.
struct exception_globals {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

struct recorded_finding {
  finding found;
  int repeats = 0;
  lane_set first_lanes;
};

// Who met there: of_block, or the name of a company.
inline constexpr char of_block[] = "block";
struct passed_barrier {
  site where;
  char const* met = of_block;
};

// What every block of a run has in common.
struct launch {
  options settings;
  extent grid, block;
  std::size_t shared_bytes = 0, dynamic_shared_bytes = 0;
  void (*entry)(void*) = nullptr;
  void* closure = nullptr;
  company together;
};

class machine {
 public:
  explicit machine(std::size_t stack_bytes);

  // Runs one block to its end on the calling OS thread; what went wrong lies in `findings` and `failure` afterwards.
  void run_block(launch const& launched, std::uint64_t block_number);

  // The same in steps, for a block that waits for others: `resume` returns when no lane of it can run before another block has, or when it has ended.
  void begin_block(launch const& launched, std::uint64_t block_number, std::vector<machine*> const& with, meeting* cluster, unsigned rank, meeting* grid);
  void resume();
  void end_block();
  bool can_run() const { return !aborting && !ready.empty(); }

  // Ends the block, and those that run with it: every lane that has begun is unwound once the running lane has left.
  void abort_block();
  // Leaves the running lane of an aborting block for good, unless a destructor asked: then the operation is dropped.
  void end_lane(lane& self);
  void leave_aborted(lane& self);
  // The same without its destructors.
  [[noreturn]] void abandon_lane(lane& self);

  [[gnu::always_inline]] void switch_to(lane& self, int thread) {
    if (exceptions->caught != nullptr || exceptions->uncaught != 0) [[unlikely]] return switch_within_handler(self, thread);
    jump(self, thread);
  }
  // The running lane cannot go on before others have: runs one of those.
  [[gnu::always_inline]] void wait(lane& self) {
    int const next = ready.pick();
    if (next == self.thread) return;
    if (next < 0) [[unlikely]] return stuck(self);
    wait_for(self, next);
  }
  [[gnu::always_inline]] void wait_for(lane& self, int thread) {
    switch_to(self, thread);
    if (aborting) [[unlikely]] end_lane(self);
  }
  // The lane that will run if the running one has to wait, sent for from the outer caches while the running one still works; or -1.
  [[gnu::always_inline]] int pick_early() {
    int const thread = ready.pick_early();
    if (thread < 0) [[unlikely]] return thread;
    __builtin_prefetch(&lanes[static_cast<std::size_t>(thread)]);
    auto const* const stack = static_cast<unsigned char const*>(contexts[thread]);
    __builtin_prefetch(stack);        // what the switch restores
    __builtin_prefetch(stack + 192);  // the frame of the collective
    __builtin_prefetch(stack + 256);
    __builtin_prefetch(stack + 320);  // the kernel's
    return thread;
  }
  // No lane of the block can run: those of its companions do; a block that is alone gives up.
  void stuck(lane& self);
  // Nobody can run, or nobody gets anywhere: reports why and ends the block.
  void give_up(lane& self);
  // Lets the other blocks run.
  void suspend(lane& self);

  void complete(warp& home, rendezvous& place);
  void complete_barrier();
  lane& lane_of(warp const& home, int number) { return lanes[static_cast<std::size_t>(home.first_thread + number)]; }
  int warp_count() const { return static_cast<int>((lanes_in_block + warp_size - 1) / warp_size); }
  bool collecting() const { return job->settings.findings != nullptr; }

  // Where these bytes lie in the block's shared memory, with dynamic memory right after `shared`; and what lies at a place.
  static constexpr std::size_t nowhere = ~std::size_t{0};
  std::size_t place_in_shared(void const* address, std::size_t bytes) const;
  unsigned char* at_place(std::size_t place) const { return place < job->shared_bytes ? shared + place : dynamic_shared + (place - job->shared_bytes); }

  // Whether a lane whose access to this address failed has run out of its stack (stack_slab.hpp).
  bool has_run_out_of_stack(lane const& self, void const* address, std::uintptr_t stack_pointer) const {
    return stacks_ != nullptr && stacks_->has_run_out(self.thread, address, stack_pointer);
  }

  // The last one is the host: the thread that runs the block, while no lane does.
  fibers::fcontext_t contexts[max_lanes + 1];
  std::unique_ptr<lane[]> const lanes = std::make_unique<lane[]>(max_lanes + 1);
  std::unique_ptr<lane_details[]> const details = std::make_unique<lane_details[]>(max_lanes + 1);
  std::unique_ptr<warp[]> const warps = std::make_unique<warp[]>(max_lanes / warp_size);
  ready_lanes ready;
  bool aborting = false;
  exception_globals* exceptions = nullptr;
  std::uint64_t idle_yields = 0;  // since any lane last got somewhere
  idle_watch* watch = nullptr;    // of the OS thread
  bool stands_back = false;       // until its companions have run: all its lanes did was to yield
  int live_count = 0;
  int barrier_count = 0;
  std::vector<machine*> const* companions = nullptr;  // the blocks that run at once, this one among them; null: it is alone
  meeting* meets[meetings] = {};  // of its cluster and its grid; null: it has none
  unsigned rank_in_cluster = 0;
  block_call met_in;  // what the first at the barrier came for, and where
  site met_at;
  shared_result results[2];  // of the block's last folds
  random_numbers poisons;
  std::unique_ptr<access_history> accesses;  // to the block's shared memory, in programs that tell of them; else null

  launch const* job = nullptr;
  extent block_index{0, 0, 0};
  int lanes_in_block = 0;
  shared_memory memory;
  unsigned char* shared = nullptr;  // in it
  unsigned char* dynamic_shared = nullptr;
  passed_barrier last_met;  // the barrier that the block last passed
  std::vector<recorded_finding> findings;
  std::vector<branch_count> branches;  // of the blocks since they were last gathered
  std::vector<site> noted;  // where a note was made in this run
  std::exception_ptr failure;
  lane* failed_lane = nullptr;
  std::size_t const stack_bytes;
  std::unique_ptr<roll_list[]> const rolls = std::make_unique<roll_list[]>(max_lanes / warp_size);  // by warp
  block_roll narrowings;  // of the block
  std::uint64_t block_serial = 0;  // of all blocks that this process has run, from 1

 private:
  static void lane_main(fibers::transfer_t from);
  void start_block(std::uint64_t block_number);
  void place_shared_memory();
  void unwind_lanes();
  [[noreturn]] void finish(lane& self);
  [[noreturn]] void leave_for_host(lane& self);
  void switch_within_handler(lane& self, int thread);
  void jump(lane& self, int thread);
  lane& host() { return lanes[max_lanes]; }

  std::unique_ptr<stack_slab> stacks_;
  [[no_unique_address]] sanitizers watchers_{max_lanes};
  std::vector<unsigned char> scratch_;

  void exchange_large(warp& home, rendezvous const& met, std::uint32_t missing_sources);
};

// The lane that runs on this OS thread. A static model of thread-local storage: the library is linked, not loaded.
struct running_lane {
  machine* block = nullptr;
  lane* self = nullptr;
};
extern constinit thread_local running_lane running [[gnu::tls_model("initial-exec")]];

[[gnu::always_inline]] inline void machine::jump(lane& self, int thread) {
  running.self = &lanes[static_cast<std::size_t>(thread)];
  watchers_.leave(self.thread, thread, self.state == lane_state::finished);
  fibers::transfer_t const from = switch_fiber(contexts[thread], &contexts[self.thread]);
  watchers_.arrive(self.thread);
  *static_cast<fibers::fcontext_t*>(from.data) = from.fctx;
}

void fill_poison(random_numbers& source, void* object, std::size_t bytes);

// Gives back what machines between two runs hold.
void free_idle_machines();

// The running lane; throws std::logic_error outside a kernel.
[[noreturn]] void called_outside_kernel();

inline running_lane current_lane() {
  running_lane const now = running;
  if (now.self == nullptr) [[unlikely]] called_outside_kernel();
  return now;
}

}  // namespace muster::emulator::detail
