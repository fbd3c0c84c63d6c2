// What can be found wrong with a block, put into words.
#include "diagnosis.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "report.hpp"

namespace muster::emulator::detail {
namespace {

std::uint32_t lanes_missing(warp const& home, rendezvous const& waiting) { return waiting.mask & home.live & ~waiting.arrived; }

site first_site(machine& block, warp const& home, std::uint32_t lanes) { return block.lane_of(home, std::countr_zero(lanes)).where; }

// Why two calls that look alike are not the same one.
std::string difference_of_like_calls(machine& block, lane const& self, rendezvous const& other, operation_key key, site where) {
  if (other.key != key) return "";
  if (first_site(block, *self.home, other.arrived).call != where.call) return ": of another algorithm, operator, type or policy, so that values would be mixed";
  return ": in another scope, an earlier or a later one; members come to the same calls in the same order";
}

}  // namespace

void report_caller_not_in_set(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where) {
  report what = about(finding_kind::caller_not_in_set, key, mask, where);
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " executes it, and the mask names " +
                (mask == 0 ? std::string("nobody") : lanes_text(mask)) + "; its result is undefined";
  add(block, *self.home, what);
}

void report_outside_scope(machine& block, lane const& self, std::uint32_t mask, operation_key key, site where) {
  report what = about(finding_kind::outside_scope, key, mask, where);
  what.lanes = mask & ~self.scope;
  what.wrong = what.lanes & self.home->live;
  what.arrived = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " is in a scope of " + lanes_text(self.scope) + ", and the mask also names " +
                lanes_text(what.lanes) + ": the outer group was used inside a narrowed body";
  add(block, *self.home, what);
}

void report_scope_outside_scope(machine& block, lane const& self, std::uint32_t members, site where) {
  bool const caller_is_out = (members & self.bit) == 0;
  report what;
  what.kind = caller_is_out ? finding_kind::caller_not_in_set : finding_kind::outside_scope;
  what.mask = members;
  what.where = where;
  what.call = "narrowing to " + (members == 0 ? std::string("nobody") : lanes_text(members));
  what.lanes = caller_is_out ? self.bit : members & ~self.scope;
  what.wrong = what.lanes & self.home->live;
  what.arrived = self.bit & ~what.wrong;
  what.reason = "lane " + std::to_string(self.number) +
                (caller_is_out ? " enters a scope that it is no member of"
                               : " is in a scope of " + lanes_text(self.scope) + ", and the new one also names " + lanes_text(what.lanes));
  add(block, *self.home, what);
}

void report_call_in_scope(machine& block, lane const& self, std::string const& call, site where) {
  report what;
  what.kind = finding_kind::outside_scope;
  what.where = where;
  what.call = call;
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " is in a scope of " + lanes_text(self.scope) +
                ": what speaks of every thread of the block may stand in no narrowed scope";
  add(block, *self.home, what);
}

void report_different_operation(machine& block, lane const& self, rendezvous const& other, operation_key key, site where) {
  report what = about(finding_kind::different_operation, key, other.mask, where);
  what.lanes = what.wrong = self.bit;
  what.arrived = other.arrived;
  what.reason = "lane " + std::to_string(self.number) + " executes " + operation_text(key) + " while " + lanes_text(other.arrived) +
                " of the same mask wait in " + operation_text(other.key) + ", " + site_text(first_site(block, *self.home, other.arrived)) +
                difference_of_like_calls(block, self, other, key, where);
  what.elsewhere = whereabouts(block, *self.home, other.mask & self.home->live & ~self.bit);
  add(block, *self.home, what);
}

void report_different_mask(machine& block, lane const& self, rendezvous const& other, std::uint32_t mask, operation_key key, site where) {
  report what = about(finding_kind::different_mask, key, mask, where);
  what.lanes = self.bit | (other.arrived & mask);
  what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " waits for " + lanes_text(other.arrived & mask) + " with mask " + hexadecimal(mask) +
                ", which wait for it with mask " + hexadecimal(other.mask) + " in " + operation_text(other.key) + ", " +
                site_text(first_site(block, *self.home, other.arrived & mask));
  what.elsewhere = whereabouts(block, *self.home, (mask | other.mask) & self.home->live & ~self.bit);
  add(block, *self.home, what);
}

void report_rank(machine& block, lane const& self, int rank, int members, site where) {
  report what;
  what.kind = finding_kind::rank_out_of_range;
  what.where = where;
  what.call = "rank " + std::to_string(rank);
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " asks for rank " + std::to_string(rank) + "; its tile has " + std::to_string(members) +
                (members == 1 ? " member" : " members, ranks 0 to " + std::to_string(members - 1));
  add(block, *self.home, what);
}

void report_storage_not_shared(machine& block, lane const& self, void const* object, site where) {
  report what;
  what.kind = finding_kind::storage_not_shared;
  what.where = where;
  what.call = "block algorithm";
  what.lanes = what.wrong = self.bit;
  what.reason = std::string(object == nullptr ? "the storage is a null reference"
                                              : "the storage is a local object, a copy, or lies on the heap, in a static object or in another block") +
                ", where the block's threads do not meet: declare it in the kernel's `shared`, which the launch places, and pass that by reference";
  add(block, *self.home, what);
}

void report_storage_misaligned(machine& block, lane const& self, std::size_t alignment, site where) {
  report what;
  what.kind = finding_kind::storage_not_shared;
  what.where = where;
  what.call = "block algorithm";
  what.lanes = what.wrong = self.bit;
  what.reason = "the storage does not lie at a multiple of " + std::to_string(alignment) +
                " bytes, as its type asks: a GPU stops at such an access. Declare it in the kernel's `shared`, or put it at a multiple into the dynamic memory";
  add(block, *self.home, what);
}

void report_results_differ(machine& block, lane const& self, shared_result const& first, char const* group, site where) {
  report what;
  what.kind = finding_kind::not_uniform;
  what.where = where;
  what.call = std::string("fold of a ") + group;
  what.lanes = what.wrong = self.bit;
  bool const is_same_block = first.block == block.block_index;
  what.reason = "lane " + std::to_string(self.number) + " of warp " + std::to_string(self.home->number) + " has another result than thread " +
                std::to_string(first.thread) + (is_same_block ? "" : " of block " + place_text(first.block)) +
                ": the operator or policy, one of your own, does not give all threads the same";
  add(block, *self.home, what);
}

void report_bad_sources(machine& block, warp const& home, rendezvous const& met) {
  for (bool const named : {true, false}) {
    std::uint32_t readers = 0, sources = 0;
    for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
      int const each = std::countr_zero(left);
      std::uint32_t const source = 1u << home.source[each];
      if ((source & met.arrived) != 0 || ((source & met.mask) != 0) != named) continue;
      readers |= 1u << each;
      sources |= source;
    }
    if (readers == 0) continue;
    finding_kind const kind = named ? finding_kind::reads_exited_lane : finding_kind::reads_non_member;
    report what = about(kind, met.key, met.mask, first_site(block, home, readers));
    what.lanes = readers;
    what.wrong = readers;
    what.arrived = met.arrived;
    what.reason = lanes_text(readers) + (std::has_single_bit(readers) ? " reads " : " read ") + lanes_text(sources) +
                  (!named ? ", outside the mask"
                   : (sources & home.existing) == 0 ? ", which this block never had"
                                                    : ", which exited before") +
                  "; what they receive is undefined";
    what.elsewhere = whereabouts(block, home, sources & ~met.arrived);
    add(block, home, what);
  }
}

void report_not_uniform(machine& block, warp const& home, rendezvous const& met, std::uint32_t differing) {
  report what = about(finding_kind::not_uniform, met.key, met.mask, first_site(block, home, differing));
  what.lanes = what.wrong = differing;
  what.arrived = met.arrived;
  what.reason = lanes_text(differing) + (std::has_single_bit(differing) ? " holds" : " hold") +
                " another value than the first member of the same tile" +
                (what.where.call != 0 ? ". It is the result of a fold: its operator or policy, one of your own, does not give all members the same" : "");
  add(block, home, what);
}

void note_relies_on_exit(machine& block, warp const& home, rendezvous const& met) {
  std::uint32_t const gone = met.mask & ~met.arrived;
  report what = about(finding_kind::relies_on_exit, met.key, met.mask, first_site(block, home, met.arrived));
  what.is_note = true;
  what.lanes = gone;
  what.arrived = met.arrived;
  what.reason = lanes_text(gone) + ((gone & home.existing) == 0 ? " never existed in this block" : " exited before") +
                " and will not be waited for. Legal; but a compiler may keep leaving lanes waiting where they left a loop, so name only those that take part";
  add(block, home, what);
}

void report_different_block_call(machine& block, lane const& self, site where) {
  report what;
  what.kind = finding_kind::different_operation;
  what.where = where;
  what.call = "block algorithm";
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " of warp " + std::to_string(self.home->number) +
                " comes here, and others of the block wait in another call, with another operator, type, storage or rank, " + site_text(block.met_at) +
                ": all threads of a block make its calls together";
  add(block, *self.home, what);
}

bool waits_elsewhere(machine& block, lane const& self, std::uint32_t waiting, site where) {
  return waiting != 0 && !is_same_call(first_site(block, *self.home, waiting), where);
}

// PTX ISA, "barrier": all threads of a warp execute the same aligned barrier, which bar.sync is; where a warp's threads part ways over it, it is undefined.
void report_barrier_in_two_places(machine& block, lane const& self, std::uint32_t waiting, std::string const& call, site where) {
  site const first = first_site(block, *self.home, waiting);
  std::uint32_t there = 0;
  for (std::uint32_t left = waiting; left != 0; left &= left - 1) {
    int const each = std::countr_zero(left);
    if (is_same_call(block.lane_of(*self.home, each).where, first)) there |= 1u << each;
  }
  report what;
  what.kind = finding_kind::different_operation;
  what.where = where;
  what.call = call;
  what.lanes = self.bit | there;
  what.wrong = self.bit;
  what.arrived = waiting;
  what.reason = "lane " + std::to_string(self.number) + " comes here, and " + lanes_text(there) + " of the same warp" +
                (std::has_single_bit(there) ? " waits in another call, " : " wait in another call, ") + site_text(first) +
                ": the lanes of a warp make such a call together, as PTX asks of aligned barriers. Let all of them come to one call, behind the branch";
  add(block, *self.home, what);
}

void report_barrier_of_fewer(machine& block) {
  warp* first_left = nullptr;
  report what;
  for (int number = 0; number < block.warp_count(); ++number) {
    warp& home = block.warps[static_cast<std::size_t>(number)];
    if (what.where.line == 0 && home.at_barrier != 0) what.where = first_site(block, home, home.at_barrier);
    if (first_left == nullptr && home.live != home.existing) first_left = &home;
  }
  bool const exchanges = block.met_in.what != nullptr;  // then a value is missing, and what is read in its place is undefined
  what.kind = exchanges ? finding_kind::reads_exited_lane : finding_kind::relies_on_exit;
  what.is_note = !exchanges;
  what.call = exchanges ? "block algorithm" : "block barrier";
  what.lanes = first_left->existing & ~first_left->live;
  what.arrived = first_left->at_barrier;
  what.reason = std::to_string(block.lanes_in_block - block.live_count) + " of " + std::to_string(block.lanes_in_block) +
                " threads of the block exited before and will not be waited for. " +
                (exchanges ? "Their values are missing: give neutral ones instead of leaving" : "Legal; but let every thread come to it");
  add(block, *first_left, what);
}

namespace {

// The rendezvous that each one waits for, through lanes that it misses and that wait there; followed to the end.
void close_over(std::uint32_t (&reaches)[warp_size], std::size_t count) {
  for (std::size_t through = 0; through < count; ++through) {
    for (std::size_t from = 0; from < count; ++from) {
      if ((reaches[from] >> through & 1u) != 0) reaches[from] |= reaches[through];
    }
  }
}

void report_absent(machine& block, warp const& home, rendezvous const& waiting) {
  std::uint32_t const missing = lanes_missing(home, waiting);
  report what = about(finding_kind::absent_lanes, waiting.key, waiting.mask, first_site(block, home, waiting.arrived));
  what.lanes = missing;
  what.arrived = waiting.arrived;
  what.reason = lanes_text(waiting.arrived) + (std::has_single_bit(waiting.arrived) ? " waits" : " wait") + " for " + lanes_text(missing) +
                ", which " + (std::has_single_bit(missing) ? "has" : "have") + " not exited and cannot arrive";
  what.elsewhere = whereabouts(block, home, missing);
  add(block, home, what);
}

void report_cycle(machine& block, warp const& home, rendezvous const& first, std::uint32_t involved) {
  report what = about(finding_kind::different_mask, first.key, first.mask, first_site(block, home, first.arrived));
  what.lanes = involved;
  what.arrived = first.arrived;
  what.reason = lanes_text(involved) + " wait for each other in a circle, with different masks";
  what.elsewhere = whereabouts(block, home, involved);
  add(block, home, what);
}

void diagnose_warp(machine& block, warp const& home) {
  // In the order of their lowest lane, whatever order they came in.
  std::vector<rendezvous> pending;
  for (rendezvous const& each : home.pending) {
    if (each.mask != 0) pending.push_back(each);
  }
  std::sort(pending.begin(), pending.end(),
            [](rendezvous const& a, rendezvous const& b) { return std::countr_zero(a.arrived) < std::countr_zero(b.arrived); });
  std::size_t const count = pending.size();
  std::uint32_t reaches[warp_size] = {};
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      if ((lanes_missing(home, pending[from]) & pending[to].arrived) != 0) reaches[from] |= 1u << to;
    }
  }
  close_over(reaches, count);
  std::uint32_t told = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if ((told >> i & 1u) != 0) continue;
    if ((reaches[i] >> i & 1u) == 0) {
      report_absent(block, home, pending[i]);
      continue;
    }
    std::uint32_t involved = 0;
    for (std::size_t other = i; other < count; ++other) {
      if ((reaches[i] >> other & 1u) == 0 || (reaches[other] >> i & 1u) == 0) continue;
      told |= 1u << other;
      involved |= pending[other].arrived;
    }
    report_cycle(block, home, pending[i], involved);
  }
}

bool some_spin(machine& block) {
  for (int thread = 0; thread < block.lanes_in_block; ++thread) {
    if (block.lanes[static_cast<std::size_t>(thread)].state == lane_state::spinning) return true;
  }
  return false;
}

// What they wait for is written by no lane of their block.
std::string reason_to_spin(machine& block) {
  std::string const text = "What they wait for never happens in this block";
  if (block.companions != nullptr) return text;
  return text + "; for what another block does they may not wait, as blocks need not run at the same time: launch cooperatively, where sync(grid) is the barrier, "
                "or in clusters";
}

void diagnose_barrier(machine& block) {
  report what;
  warp* first_without = nullptr;
  for (int number = 0; number < block.warp_count(); ++number) {
    warp& home = block.warps[static_cast<std::size_t>(number)];
    if (what.where.line == 0 && home.at_barrier != 0) what.where = first_site(block, home, home.at_barrier);
    std::uint32_t const without = home.live & ~home.at_barrier;
    if (without == 0) continue;
    if (first_without == nullptr) first_without = &home;
    what.elsewhere += "            warp " + std::to_string(number) + ":\n" + whereabouts(block, home, home.live);
  }
  what.kind = finding_kind::barrier_divergence;
  what.call = "block barrier";
  what.lanes = what.wrong = first_without->live & ~first_without->at_barrier;
  what.arrived = first_without->at_barrier;
  what.reason = std::to_string(block.barrier_count) + " of " + std::to_string(block.live_count) +
                " threads wait at the block barrier; the others have not exited and " + (some_spin(block) ? "spin. " + reason_to_spin(block) : "cannot reach it");
  add(block, *first_without, what);
}

// Lanes that run, but do nothing except to yield.
void diagnose_spinning(machine& block) {
  for (int number = 0; number < block.warp_count(); ++number) {
    warp& home = block.warps[static_cast<std::size_t>(number)];
    std::uint32_t const spinning = home.live & ~home.at_any_barrier() & ~home.waiting;
    if (spinning == 0) continue;
    report what;
    what.kind = finding_kind::nobody_can_run;
    what.call = "a loop that yields";
    what.where = first_site(block, home, spinning);
    what.lanes = what.wrong = spinning;
    what.reason = lanes_text(spinning) + (std::has_single_bit(spinning) ? " spins" : " spin") +
                  " and no lane of the block gets any further. " + reason_to_spin(block);
    what.elsewhere = whereabouts(block, home, home.live);
    add(block, home, what);
    return;
  }
}

}  // namespace

void diagnose_standstill(machine& block) {
  for (int number = 0; number < block.warp_count(); ++number) diagnose_warp(block, block.warps[static_cast<std::size_t>(number)]);
  if (block.barrier_count != 0) diagnose_barrier(block);
  diagnose_spinning(block);
}

void finish_findings(machine& block) {
  for (recorded_finding& each : block.findings) {
    if (each.repeats == 0) continue;
    each.found.text += "  repeated  " + std::to_string(each.repeats) + (each.repeats == 1 ? " more time" : " more times") +
                       " in this block" + (each.found.lanes.bits == 0 ? "" : "; in all, " + lanes_text(each.found.lanes.bits)) + "\n";
  }
}

}  // namespace muster::emulator::detail
