// Finds accesses to shared memory that no synchronisation orders, by what each lane knows (Lamport's "happened before", Communications of the ACM 21(7), 1978).
#include "access_history.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator::detail {

void access_history::start(int threads, std::size_t bytes) {
  if (now_ > ~std::uint32_t{0} / 2) {
    bytes_.clear();
    now_ = 1;
  }
  begun_ = known_to_all_ = now_++;
  known_.assign(static_cast<std::size_t>(threads), {});
  if (bytes_.size() < bytes) bytes_.resize(bytes);
}

bool access_history::is_known_to(knowledge const& mine, int thread, memory_access const& earlier) const {
  if (earlier.thread == thread || earlier.time <= known_to_all_ || earlier.time <= mine.of_block) return true;
  return earlier.thread / warp_size == thread / warp_size && earlier.time <= mine.of_lane[earlier.thread % warp_size];
}

bool access_history::conflicts(knowledge const& mine, memory_access const& earlier, memory_access const& now) const {
  if (earlier.time <= begun_ || !(is_write(earlier.kind) || is_write(now.kind))) return false;
  return !(is_atomic(earlier.kind) && is_atomic(now.kind)) && !is_known_to(mine, now.thread, earlier);
}

// In the place of a read that this one makes superfluous: what is ordered after this is ordered after that.
void access_history::keep_read(byte_history& byte, knowledge const& mine, memory_access const& read) {
  for (memory_access& each : byte.reads) {
    if (each.time > begun_ && !is_known_to(mine, read.thread, each)) continue;
    each = read;
    return;
  }
  byte.reads[replaced_++ % most_reads] = read;
}

memory_access access_history::add(access_kind kind, int thread, std::size_t first, std::size_t count, void const* from) {
  memory_access const now{from, now_, static_cast<std::uint16_t>(thread), kind};
  knowledge const& mine = known_[static_cast<std::size_t>(thread)];
  memory_access found;
  for (std::size_t i = first; i < first + count; ++i) {
    byte_history& byte = bytes_[i];
    if (conflicts(mine, byte.write, now)) found = byte.write;
    if (!is_write(kind)) {
      keep_read(byte, mine, now);
      continue;
    }
    for (memory_access& each : byte.reads) {
      if (conflicts(mine, each, now)) found = each;
      each.time = 0;
    }
    byte.write = now;
  }
  return found;
}

void access_history::sync_members(int first_thread, std::uint32_t members) {
  knowledge joined;
  auto const for_each_member = [&](auto const& f) {
    for (int lane = 0; lane < warp_size; ++lane) {
      auto const thread = static_cast<std::size_t>(first_thread + lane);
      if ((members >> lane & 1u) != 0 && thread < known_.size()) f(known_[thread], joined.of_lane[lane]);
    }
  };
  for_each_member([&](knowledge const& each, std::uint32_t&) {
    for (int lane = 0; lane < warp_size; ++lane) joined.of_lane[lane] = std::max(joined.of_lane[lane], each.of_lane[lane]);
    joined.of_block = std::max(joined.of_block, each.of_block);
  });
  for_each_member([&](knowledge const&, std::uint32_t& own) { own = now_; });
  for_each_member([&](knowledge& each, std::uint32_t&) { each = joined; });
  ++now_;
}

namespace {

std::atomic<site (*)(void const*)> place_of_instruction{nullptr};

char const* verb(access_kind kind) {
  switch (kind) {
    case access_kind::read: return "read";
    case access_kind::write: return "write";
    case access_kind::atomic_read: return "atomic read";
    case access_kind::atomic_write: return "atomic change";
  }
  return "access";
}

void report_race(machine& block, lane& self, access_kind kind, std::size_t first, std::size_t bytes, void const* from, memory_access const& earlier) {
  auto const place_of = place_of_instruction.load();
  lane const& other = block.lanes[earlier.thread];
  bool const is_neighbour = other.home == self.home;
  report what;
  what.kind = finding_kind::race;
  what.lanes = what.wrong = self.bit | (is_neighbour ? other.bit : 0);
  what.where = place_of(from);
  bool const is_dynamic = first >= block.job->shared_bytes;
  what.call = std::string(verb(kind)) + " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " of " + (is_dynamic ? "dynamic " : "") + "shared memory, from byte " +
              std::to_string(is_dynamic ? first - block.job->shared_bytes : first) + ", by lane " + std::to_string(self.number);
  what.reason = "lane " + std::to_string(other.number) + (is_neighbour ? "" : " of warp " + std::to_string(other.home->number)) + " came to the same bytes before (" +
                verb(earlier.kind) + ", " + site_text(place_of(earlier.from)) + "), and nothing orders the two: on a GPU either can be first. " +
                (is_neighbour ? "A sync of a tile or block that both lanes are members of, between the two, does; shuffles and votes do not"
                              : "A sync of the block between the two does; a sync of a tile, shuffles and votes do not");
  add(block, *self.home, what);
}

}  // namespace

void watch_accesses(site (*place_of)(void const* instruction)) { place_of_instruction.store(place_of); }
bool watches_accesses() { return place_of_instruction.load(std::memory_order_relaxed) != nullptr; }

void note_access(access_kind kind, void const* address, std::size_t bytes, void const* from) noexcept {
  auto const [block, self] = running;
  if (block == nullptr || block->accesses == nullptr || block->aborting || self->details == nullptr) return;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  auto const offset_in = [&](unsigned char const* memory, std::size_t size) {
    auto const begin = reinterpret_cast<std::uintptr_t>(memory);
    return at >= begin && at - begin < size && bytes <= size - (at - begin) ? at - begin : size;
  };
  std::size_t const of_shared = block->job->shared_bytes, of_dynamic = block->job->dynamic_shared_bytes;
  std::size_t first = offset_in(block->shared, of_shared);
  if (first == of_shared) first += offset_in(block->dynamic_shared, of_dynamic);
  if (first == of_shared + of_dynamic) return;
  memory_access const earlier = block->accesses->add(kind, self->thread, first, bytes, from);
  if (earlier.time != 0) report_race(*block, *self, kind, first, bytes, from, earlier);
}

void note_fence() noexcept {
  auto const [block, self] = running;
  if (block != nullptr && block->accesses != nullptr && self->details != nullptr) block->accesses->fence(self->thread);
}

}  // namespace muster::emulator::detail
