// What can be found wrong with a block, and the words for it.
#pragma once

#include <cstdint>

#include "machine.hpp"

namespace muster::emulator::detail {

// While a lane calls: each records a finding; unless findings are collected, the block is aborting afterwards.
void report_caller_not_in_set(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where);
void report_outside_scope(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where);
void report_barrier_in_scope(machine& block, lane const& self, site where);
void report_scope_outside_scope(machine& block, lane const& self, std::uint32_t members, site where);
void report_different_operation(machine& block, lane const& self, rendezvous const& other, operation_key key, site where);
void report_different_mask(machine& block, lane const& self, rendezvous const& other, std::uint32_t mask, operation_key key, site where);
void report_rank(machine& block, lane const& self, int rank, int members, site where);

// When a collective's members have met.
void report_bad_sources(machine& block, warp const& home, rendezvous const& met);
void report_not_uniform(machine& block, warp const& home, rendezvous const& met, std::uint32_t differing);
void note_relies_on_exit(machine& block, warp const& home, rendezvous const& met);

// When nobody can run, or all that run only yield: at least one finding.
void diagnose_standstill(machine& block);

// When the block has ended: findings that came up again say so.
void finish_findings(machine& block);

}  // namespace muster::emulator::detail
