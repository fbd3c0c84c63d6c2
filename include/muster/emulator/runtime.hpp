// What a lane of an emulated kernel may ask of the emulator: the CPU's stand-in for the warp instructions and special registers of a GPU.
// Light on purpose: every host pass of a kernel includes it. Everything here is called from inside a kernel that `emulator::run` is running.
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/core/block_company.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/operator_law.hpp>
#include <muster/core/redux_operation.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>

namespace muster::emulator {

// Where the calling lane stands.
struct position {
  extent thread{0, 0, 0};
  extent block{0, 0, 0};
  extent block_dim;
  extent grid_dim;
  int linear = 0;  // the linear thread number in the block; the lane is linear % 32
  unsigned rank_in_cluster = 0;  // of the block
};
position const& here();

// Which blocks of a launch run at once, and so can wait for each other: those of a cluster, if cluster is not empty, and with is_cooperative those of the whole grid.
struct company {
  extent cluster{0, 0, 0};
  bool is_cooperative = false;
};
company company_of_launch();

// How many lanes of the calling lane's warp exist: 32, or fewer in the last warp of a block whose size is no multiple of 32.
int lanes_in_warp();

// Warp collectives. Each names the lanes that take part (membermask), waits for those that have not exited, and reports what breaks the
// rules of PTX's `.sync` instructions. A value that PTX calls undefined is seeded poison.

// shfl.sync on a value of any size: out receives what the source lane passed in; returns whether the source was in range.
bool shuffle(shuffle_mode mode, std::uint32_t membermask, void const* in, void* out, std::size_t bytes, unsigned b, unsigned c, site where);

// vote.sync
std::uint32_t ballot(std::uint32_t membermask, bool predicate, site where);
bool any(std::uint32_t membermask, bool predicate, site where);
bool all(std::uint32_t membermask, bool predicate, site where);

// match.any.sync / match.all.sync on the bytes of a value: the members that hold the same bytes; for `all`, every member or none.
std::uint32_t match_any(std::uint32_t membermask, void const* value, std::size_t bytes, site where);
std::uint32_t match_all(std::uint32_t membermask, void const* value, std::size_t bytes, site where);

// redux.sync
std::uint32_t redux(redux_operation op, std::uint32_t membermask, std::uint32_t value, site where);

// bar.warp.sync: the only one that orders memory.
void sync_warp(std::uint32_t membermask, site where);

// bar.sync 0: all threads of the block that have not exited.
void sync_block(site where);

// A barrier inside a block's algorithm, whose threads exchange values in shared memory: all of them must be in the same call. `what` stands for the algorithm with its
// types, `memory` for where they meet, `number` for what else must agree. A thread that has exited would have had to bring its value.
struct block_call {
  void const* what = nullptr;  // null: a barrier and no more
  void const* memory = nullptr;
  int number = 0;
  std::size_t bytes = 0;  // from `memory` on, in which blocks exchange values: an exchange orders what blocks do there, and nowhere else
  friend bool operator==(block_call const&, block_call const&) = default;
};
void meet_block(block_call call, site where);

// The same for the blocks of a cluster or of a cooperative grid. `memory` is then compared by where it lies in a block's shared memory. A barrier and no more orders all memory.
void meet_blocks(block_company which, block_call call, site where);

// Where block `rank` of the caller's cluster has what lies at `own` in the caller's shared memory. Reports a block that has ended, or that need not have begun.
void* shared_of_block(void* own, unsigned rank, site where);

// A collective without a counterpart on the GPU: reports when the members within one tile of `width` lanes do not hold the same bytes.
void check_uniform(std::uint32_t membermask, int width, void const* value, std::size_t bytes, site where);

// The same for the result of a fold that all threads of the block, or of the cluster, have just met in. Nobody waits here.
void check_same_in_block(void const* value, std::size_t bytes, site where);
void check_same_in_cluster(void const* value, std::size_t bytes, site where);

// A number that a report can show; of other types it shows none.
struct printed_value {
  char kind = 0;  // 'f': floating; 'i', 'u': whole, signed and unsigned; 0: none
  double floating = 0;
  long long whole = 0;
};

// Reports an operator of the kernel's own that is not what it says. type: a text of the compiler's with "Op = " or "T = " before the type's name. left, right: the operands;
// result: what came of them; swapped: of the same operands in the other order, where that is what the law speaks of.
void report_operator(operator_law law, char const* type, printed_value left, printed_value right, printed_value result, printed_value swapped, site where);

// While one exists, the caller tries an operator of the kernel's own on its identity<T>(), or neutral<T>(): should that end the process, the text says so. law: of which of the
// two; type: as above.
class operator_trial {
 public:
  operator_trial(operator_law law, char const* type);
  ~operator_trial();
  operator_trial(operator_trial const&) = delete;
  operator_trial& operator=(operator_trial const&) = delete;
};

// Whether two results differ by more than rounding; x and y: the numbers that they were made of. bytes: of the type.
bool numbers_differ(double a, double b, double x, double y, int bytes);
// The same of objects whose numbers are found by their bytes: two results and the two objects that they were made of, one after the other. is_whole: no byte of the type is
// padding or belongs to a float or a double.
bool may_be_rounding(void const* objects, std::size_t bytes, std::size_t alignment, bool is_whole);

// Scopes. While a lane is in one, a collective whose mask names a lane outside the innermost scope, or a block barrier, is a finding.
void enter_scope(std::uint32_t members, site where);
void leave_scope();

// Reports a call that must stand in no narrowed scope and does; `call` names it.
void require_no_scope(char const* call, site where);

// Where a value was made that means something only there: the caller, its innermost scope, and the group.
struct birth_mark {
  std::uint64_t block = 0;  // of all blocks that this process has run
  std::uint64_t scope = 0;  // of all scopes that the thread has entered
  std::uint32_t membermask = 0;
  int thread = 0;
};
birth_mark mark_birth(std::uint32_t membermask);

// Reports the use of a value by another thread, after its scope has been left, or with another membermask.
void check_birth(birth_mark const& born, std::uint32_t membermask, site where);

// Narrowing without a vote is no instruction of a GPU, and orders nobody. The caller says that it came, and goes on; a member that passes by without having come, or comes to
// another narrowing, is a finding. What must agree: which function, the tiles' width, and `number`. An answer yes or no must also be the same in a tile of `width` lanes.
void roll_call(narrowing_kind which, std::uint32_t membermask, int width, std::uint32_t number, roll_answer answer, site where);

// The same for a narrowing of the block: every thread of the warp must come, in no narrowed scope.
void roll_call_of_block(narrowing_kind which, std::uint32_t number, site where);

// Reports a rank that is not below the number of members of the caller's tile; returns whether it is.
bool check_rank(int rank, int members, site where);

// Reports an object in which the threads of a block meet and which does not lie in the block's shared memory, as the launch placed it, or not as its alignment asks: the
// block ends, as each thread might have one of its own.
void check_in_shared_memory(void const* object, std::size_t bytes, std::size_t alignment, site where);

// Reports a copy of `count` values, `bytes` bytes, that cannot be: not to the block's shared memory, or from it.
void check_copy(void const* to, void const* from, long long count, std::size_t bytes, site where);

// Copies that a thread begins and waits for. What they will write is poison until then. close_copies numbers, from 1, those that were begun since it was last called;
// wait_for_copies makes all but the last `in_flight` numbers, and reports that number `needed` is not among them.
void begin_copy(void* to, void const* from, std::size_t bytes, site where);
std::uint64_t close_copies();
void wait_for_copies(std::uint64_t in_flight, std::uint64_t needed, site where);

// Reports misuse that only a running kernel shows: throws out of the kernel, and `run` rethrows it as kernel_error with coordinates.
[[noreturn]] void fail(char const* reason, site where);

// Fills an object with bytes drawn from the launch's seed; never zero as a whole.
void poison(void* object, std::size_t bytes);

// Lets other lanes run: what a loop that waits for memory to change must reach, so that it cannot spin alone for ever.
void yield();

// The block's memory: what `run` was asked for, poisoned when the block starts.
void* shared_memory();
void* dynamic_shared_memory();
std::size_t dynamic_shared_bytes();

}  // namespace muster::emulator
