// What happens when the last member of a collective has arrived: every member's result is worked out, and all can run again.
#include <bit>
#include <cstring>

#include "diagnosis.hpp"
#include "machine.hpp"

namespace muster::emulator::detail {
namespace {

bool same_bytes(machine& block, warp const& home, std::size_t bytes, int a, int b) {
  if (bytes <= inline_bytes) return home.value[a] == home.value[b];
  return std::memcmp(block.lane_of(home, a).in, block.lane_of(home, b).in, bytes) == 0;
}

void give_all(warp& home, std::uint32_t members, std::uint64_t word) {
  for (; members != 0; members &= members - 1) home.result[std::countr_zero(members)] = word;
}

std::uint32_t lanes_equal_to(machine& block, warp const& home, std::uint32_t among, std::size_t bytes, int reference) {
  std::uint32_t equal = 0;
  for (; among != 0; among &= among - 1) {
    int const each = std::countr_zero(among);
    if (same_bytes(block, home, bytes, each, reference)) equal |= 1u << each;
  }
  return equal;
}

void match_any_values(machine& block, warp& home, rendezvous const& met) {
  for (std::uint32_t left = met.arrived; left != 0;) {
    std::uint32_t const equal = lanes_equal_to(block, home, left, met.key.bytes(), std::countr_zero(left));
    give_all(home, equal, equal);
    left &= ~equal;
  }
}

std::uint32_t reduced(redux_operation op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case redux_operation::add: return a + b;
    case redux_operation::min_s32: return static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) ? b : a;
    case redux_operation::max_s32: return static_cast<std::int32_t>(b) > static_cast<std::int32_t>(a) ? b : a;
    case redux_operation::min_u32: return b < a ? b : a;
    case redux_operation::max_u32: return b > a ? b : a;
    case redux_operation::bit_and: return a & b;
    case redux_operation::bit_or: return a | b;
    case redux_operation::bit_xor: return a ^ b;
  }
  return a;
}

void reduce_values(warp& home, rendezvous const& met) {
  auto const op = static_cast<redux_operation>(met.key.qualifier());
  std::uint32_t left = met.arrived;
  auto total = static_cast<std::uint32_t>(home.value[std::countr_zero(left)]);
  for (left &= left - 1; left != 0; left &= left - 1) {
    total = reduced(op, total, static_cast<std::uint32_t>(home.value[std::countr_zero(left)]));
  }
  give_all(home, met.arrived, total);
}

void compare_tiles(machine& block, warp& home, rendezvous const& met) {
  int const width = static_cast<int>(met.key.qualifier());
  std::uint32_t differing = 0;
  for (int base = 0; base < warp_size; base += width) {
    std::uint32_t const members = met.arrived & lane_set::range(base, width).bits;
    if (members != 0) differing |= members & ~lanes_equal_to(block, home, members, met.key.bytes(), std::countr_zero(members));
  }
  if (differing != 0) report_not_uniform(block, home, met, differing);
}

void exchange_values(machine& block, warp& home, rendezvous const& met, std::uint32_t missing) {
  if (met.arrived == all_lanes.bits) {
    for (int each = 0; each < warp_size; ++each) home.result[each] = home.value[home.source[each]];
    return;
  }
  for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
    int const each = std::countr_zero(left);
    int const source = home.source[each];
    if ((missing >> source & 1u) != 0) [[unlikely]] {
      fill_poison(block.poisons, &home.result[each], met.key.bytes());
    } else {
      home.result[each] = home.value[source];
    }
  }
}

}  // namespace

void fill_poison(random_numbers& source, void* object, std::size_t bytes) {
  auto* to = static_cast<unsigned char*>(object);
  bool nothing_yet = true;
  for (std::size_t left = bytes; left != 0;) {
    std::size_t const part = left < sizeof(std::uint64_t) ? left : sizeof(std::uint64_t);
    std::uint64_t const kept = ~std::uint64_t{0} >> 8 * (sizeof(std::uint64_t) - part);
    std::uint64_t word = source.next() & kept;
    while (nothing_yet && word == 0) word = source.next() & kept;
    nothing_yet = false;
    std::memcpy(to, &word, part);
    to += part;
    left -= part;
  }
}

// All sources are read before any result is written: a lane may receive into the object it sends.
void machine::exchange_large(warp& home, rendezvous const& met, std::uint32_t missing) {
  std::size_t const bytes = met.key.bytes();
  if (scratch_.size() < bytes * warp_size) scratch_.resize(bytes * warp_size);
  for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
    int const each = std::countr_zero(left);
    std::memcpy(scratch_.data() + bytes * static_cast<std::size_t>(each), lane_of(home, each).in, bytes);
  }
  for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
    int const each = std::countr_zero(left);
    int const source = home.source[each];
    if ((missing >> source & 1u) != 0) {
      fill_poison(poisons, lane_of(home, each).out, bytes);
    } else {
      std::memcpy(lane_of(home, each).out, scratch_.data() + bytes * static_cast<std::size_t>(source), bytes);
    }
  }
}

void machine::complete(warp& home, rendezvous& place) {
  rendezvous const met = place;
  place.mask = 0;
  home.occupied &= ~(1u << (&place - home.pending));
  home.waiting &= ~met.arrived;
  if ((met.mask & ~met.arrived) != 0) [[unlikely]] note_relies_on_exit(*this, home, met);
  switch (met.key.kind()) {
    case operation::shuffle: {
      std::uint32_t missing = 0;
      if (met.marked != 0 || met.mask != met.arrived) [[unlikely]] {
        for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) missing |= 1u << home.source[std::countr_zero(left)];
        missing &= ~met.arrived;
        if (missing != 0) report_bad_sources(*this, home, met);
      }
      if (met.key.bytes() <= inline_bytes) {
        exchange_values(*this, home, met, missing);
      } else {
        exchange_large(home, met, missing);
      }
      break;
    }
    case operation::ballot: give_all(home, met.arrived, met.marked); break;
    case operation::any: give_all(home, met.arrived, met.marked != 0); break;
    case operation::all: give_all(home, met.arrived, met.marked == met.arrived); break;
    case operation::match_any: match_any_values(*this, home, met); break;
    case operation::match_all: {
      std::uint32_t const equal = lanes_equal_to(*this, home, met.arrived, met.key.bytes(), std::countr_zero(met.arrived));
      give_all(home, met.arrived, equal == met.arrived ? equal : 0);
      break;
    }
    case operation::redux: reduce_values(home, met); break;
    case operation::sync_warp:
      if (accesses != nullptr) accesses->sync_members(home.first_thread, met.mask);
      break;
    case operation::check_uniform: compare_tiles(*this, home, met); break;
    case operation::narrowing: break;  // nobody waits in one
  }
  ready.add(home.first_thread, met.arrived);
}

}  // namespace muster::emulator::detail
