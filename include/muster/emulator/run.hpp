// Running an emulated kernel from the host: options in, findings out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <muster/core/extent.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/emulator/runtime.hpp>

namespace muster::emulator {

// In which order lanes that can run are run. Independent thread scheduling promises none of them: random is the default.
enum class schedule : std::uint8_t { random, ascending, descending, lockstep };

enum class finding_kind : std::uint8_t {
  caller_not_in_set,      // the executing lane is not in its own mask
  absent_lanes,           // named lanes never arrive: they wait elsewhere, or have passed a narrowing by
  different_operation,    // same mask, another operation or another narrowing; or one barrier, by two calls in a warp
  different_mask,         // lanes that wait for each other with different masks
  outside_scope,          // a collective or narrowing names lanes outside the current narrowed scope, or is one of the block inside it
  reads_exited_lane,      // a shuffle reads a lane that has exited or that the block never had
  reads_non_member,       // a shuffle reads a lane outside its mask
  rank_out_of_range,      // a run-time rank is not below the number of members
  not_uniform,            // a value stated to be uniform, or a condition whose type says so, differs within a tile
  barrier_divergence,     // some threads wait at a barrier of the block, the cluster or the grid, the others cannot reach it
  nobody_can_run,         // every thread waits and none of the reasons above explains it; or threads spin without progress
  acting_lane_exited,     // a narrowing hands on to lanes that have all exited, or to a warp that the block never had: nobody runs its body
  storage_not_shared,     // what threads of a block meet in does not lie in the block's shared memory
  held_value_expired,     // a held_by is used after its scope or trip, with other members, or by another thread
  shared_memory_overrun,  // bytes next to a block's shared memory were written; or, in programs that link muster::racecheck, used at all
  copy_not_awaited,       // a lane ends before it has waited for a copy that it began
  operator_not_as_stated, // an operator of the kernel's own: its identity changes a value, or it is called commutative and the order matters
  race,                   // two lanes use the same bytes of shared memory in no order (in programs that link muster::racecheck)
  relies_on_exit,         // a note: a collective, narrowing or block barrier names lanes that have exited, which are not waited for
};

char const* name_of(finding_kind kind);

struct finding {
  finding_kind kind{};
  bool is_note = false;          // legal, but not to be relied on
  extent block{0, 0, 0};
  int warp = 0;                  // of the block
  lane_set lanes;                // the lanes it speaks of (for example the absent ones)
  lane_set membermask;           // of the operation, where there is one
  site where;                    // the call in the kernel's source
  std::string text;              // the whole report for a person: reason, lanes, source line, lane map, seed
  // A finding that comes up again (same kind, warp and call in one block) is not repeated: `lanes` grows, and the text says how often.
};

// What the narrowing call at one place costs a warp where its lanes part ways: each scope is issued by itself, for its lanes alone. A branch whose lanes agree takes one
// round, another two; loop_while takes two a trip, the predicate and the body.
struct branch_count {
  site where;
  std::uint64_t rounds = 0;  // scopes that were entered
  std::uint64_t lanes = 0;   // of all these rounds

  // How many of the 32 lanes of a round have work, as a fraction.
  double utilisation() const { return rounds == 0 ? 0.0 : static_cast<double>(lanes) / (32.0 * static_cast<double>(rounds)); }
};

// The counts as a table for people: place, rounds, utilisation; the places that lose most issue slots first.
std::string table_of(std::vector<branch_count> counts);

struct options {
  std::uint64_t seed = 1;
  schedule order = schedule::random;
  int threads = 0;                           // OS threads that run blocks; 0: one per core
  std::size_t stack_bytes = 128 * 1024;      // of one lane
  std::vector<finding>* findings = nullptr;  // where to put findings and notes; null: a finding is thrown, a note goes to stderr
  std::vector<branch_count>* branches = nullptr;  // where to put a count for each narrowing call of the run, ordered by place; null: none are made
  std::uint64_t most_idle_yields = 1 << 22;  // that many yields of a block's lanes in a row, while none gets on, nor a block that runs beside it, are a finding
};

// Thrown by `run` when a kernel broke a rule and options.findings is null; what() is the report.
struct emulation_error : std::runtime_error {
  explicit emulation_error(finding first);
  finding first;
};

// Thrown by `run` when the kernel itself threw: what() says where and why, the original is nested (std::rethrow_if_nested).
struct kernel_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How many blocks of this shape the emulated GPU holds at once, which is all that a cooperative grid may have: 128, and 16,384 threads, 8 multiprocessors' worth.
unsigned most_blocks_at_once(extent block);

// Calls entry(closure) once in every thread of every block. Blocks run in parallel on options.threads OS threads; a block and its fibers stay on one, and so do blocks
// that run at once.
void run(options const& options, extent grid, extent block, std::size_t shared_bytes, std::size_t dynamic_shared_bytes,
         void (*entry)(void* closure), void* closure, company together = {});

}  // namespace muster::emulator
