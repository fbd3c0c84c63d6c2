// Copies that go on while their thread does something else: made as late as the thread allows.
#include <algorithm>
#include <cstring>
#include <string>

#include "machine.hpp"

namespace muster::emulator {

void begin_copy(void* to, void const* from, std::size_t bytes) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::note_access(detail::access_kind::write, to, bytes, __builtin_return_address(0));
  detail::fill_poison(block->poisons, to, bytes);
  self->details->copies.push_back({to, from, bytes, self->details->closed_copies + 1});
}

std::uint64_t close_copies() { return ++detail::current_lane().self->details->closed_copies; }

void wait_for_copies(std::uint64_t in_flight, std::uint64_t needed, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::lane_details& mine = *self->details;
  std::uint64_t const last = mine.closed_copies > in_flight ? mine.closed_copies - in_flight : 0;
  if (needed > last) {
    std::string const reason = "wait<" + std::to_string(in_flight) + ">: this thread has begun only " + std::to_string(mine.closed_copies - needed) +
                               " copies after this one, so this one too may still be under way";
    fail(reason.c_str(), where);
  }
  auto const is_due = [&](detail::begun_copy const& each) { return each.number <= last; };
  for (detail::begun_copy const& each : mine.copies) {
    if (is_due(each)) std::memcpy(each.to, each.from, each.bytes);
  }
  std::erase_if(mine.copies, is_due);
}

}  // namespace muster::emulator
