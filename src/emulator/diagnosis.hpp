// What can be found wrong with a block, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "machine.hpp"

namespace muster::emulator::detail {

// While a lane calls: each records a finding; unless findings are collected, the block is aborting afterwards.
void report_caller_not_in_set(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where);
void report_outside_scope(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where);
void report_call_in_scope(machine& block, lane const& self, std::string const& call, site where);
void report_scope_outside_scope(machine& block, lane const& self, std::uint32_t members, site where);
void report_different_operation(machine& block, lane const& self, rendezvous const& other, operation_key key, site where);
void report_different_mask(machine& block, lane const& self, rendezvous const& other, std::uint32_t mask, operation_key key, site where);
// The lane ends: reports copies that it has not waited for (copies.cpp).
void leave_copies(machine& block, lane& self);

// While others wait at the barrier for another call.
void report_different_block_call(machine& block, lane const& self, site where);
// A lane comes to a barrier where lanes of its own warp, `waiting`, or none, are already: whether those came by another call in the source. `call` is the barrier in words.
bool waits_elsewhere(machine& block, lane const& self, std::uint32_t waiting, site where);
void report_barrier_in_two_places(machine& block, lane const& self, std::uint32_t waiting, std::string const& call, site where);
void report_rank(machine& block, lane const& self, int rank, int members, site where);
void report_storage_not_shared(machine& block, lane const& self, void const* object, site where);
void report_storage_misaligned(machine& block, lane const& self, std::size_t alignment, site where);
// group: "block" or "cluster"
void report_results_differ(machine& block, lane const& self, shared_result const& first, char const* group, site where);
void report_expired(machine& block, lane const& self, birth_mark const& born, std::uint32_t mask, bool is_own, bool is_open, site where);

// Of narrowings without a vote. `called` is the entry and `mask` its roll's.
void report_different_narrowing(machine& block, lane const& self, roll_entry const& called, std::uint32_t mask, operation_key key, site where);
void report_condition_not_uniform(machine& block, lane const& self, roll_entry const& called, std::uint32_t mask, std::uint32_t others, bool choice, site where);
void report_passed_by(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask, std::uint32_t absent, std::string const& instead);
void report_acting_lanes_exited(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask, std::uint32_t acting);
void note_narrowing_relies_on_exit(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask);

// Of narrowings of the block, whose entries count warps.
void report_different_block_narrowing(machine& block, lane const& self, roll_entry const& called, operation_key key, site where);
void report_warps_passed_by(machine& block, roll_entry const& called, std::uint32_t warps);
void report_acting_warp_absent(machine& block, roll_entry const& called, int number);
void note_warps_exited(machine& block, roll_entry const& called, std::uint32_t warps);

// When a collective's members have met.
void report_bad_sources(machine& block, warp const& home, rendezvous const& met);
void report_not_uniform(machine& block, warp const& home, rendezvous const& met, std::uint32_t differing);
void note_relies_on_exit(machine& block, warp const& home, rendezvous const& met);
void report_barrier_of_fewer(machine& block);

// When the block has met at a barrier, its own or one of the company that `met` names, or has ended, which names no place: looks at what lies beside its shared memory.
site site_of_barrier(machine& block);
void find_overruns(machine& block, shared_memory::extent_of_search how_far, site barrier, char const* met);
// By a lane that tells of its accesses (access_history.cpp).
void report_access_beside(machine& block, lane const& self, shared_memory::neighbourhood place, char const* verb, std::size_t bytes, site where);

// When nobody can run, or all that run only yield: at least one finding.
void diagnose_standstill(machine& block);

// When the block has ended: findings that came up again say so.
void finish_findings(machine& block);

}  // namespace muster::emulator::detail
