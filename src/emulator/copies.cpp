// Copies that go on while their thread does something else: made as late as the thread allows.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {

void check_copy(void const* to, void const* from, long long count, std::size_t bytes, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  auto const refuse = [&](std::string const& reason) { fail(("copy_async(g, to, from, count): " + reason).c_str(), where); };
  if (count < 0) refuse("count is " + std::to_string(count));
  if (count == 0) return;
  if (block->place_in_shared(to, bytes) == detail::machine::nowhere) refuse("the " + std::to_string(bytes) + " bytes from `to` do not lie in the block's shared memory");
  if (from == nullptr) refuse("`from` is a null pointer");
  if (block->place_in_shared(from, 1) != detail::machine::nowhere) refuse("`from` lies in shared memory; copies are made from global memory, and within shared memory by loads and stores");
}

void begin_copy(void* to, void const* from, std::size_t bytes, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::note_access(detail::access_kind::write, to, bytes, __builtin_return_address(0));
  detail::fill_poison(block->poisons, to, bytes);
  self->details->copies.push_back({to, from, bytes, self->details->closed_copies + 1, where});
}

std::uint64_t close_copies() { return ++detail::current_lane().self->details->closed_copies; }

void wait_for_copies(std::uint64_t in_flight, std::uint64_t needed, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::lane_details& mine = *self->details;
  std::uint64_t const last = mine.closed_copies > in_flight ? mine.closed_copies - in_flight : 0;
  if (needed > mine.closed_copies) fail("pending_copy::wait: this thread has not begun that copy; each thread waits for its own", where);
  if (needed > last) {
    std::string const reason = "pending_copy::wait<" + std::to_string(in_flight) + ">: this thread has begun only " + std::to_string(mine.closed_copies - needed) +
                               " copies after this one, so this one too may still be under way";
    fail(reason.c_str(), where);
  }
  auto const is_due = [&](detail::begun_copy const& each) { return each.number <= last; };
  for (detail::begun_copy const& each : mine.copies) {
    if (!is_due(each)) continue;
    detail::note_access(detail::access_kind::write, each.to, each.bytes, __builtin_return_address(0));
    std::memcpy(each.to, each.from, each.bytes);
  }
  std::erase_if(mine.copies, is_due);
}

namespace detail {

void leave_copies(machine& block, lane& self) {
  if (self.details->copies.empty()) return;
  report what;
  what.kind = finding_kind::copy_not_awaited;
  what.where = self.details->copies.front().where;
  what.call = "copy_async";
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " has ended with a copy that it began and did not wait for: what was copied could not be read";
  add(block, *self.home, what);
}

}  // namespace detail
}  // namespace muster::emulator
