// Finds accesses to shared memory that no synchronisation orders, by what each lane knows (Lamport's "happened before", Communications of the ACM 21(7), 1978).
#include "access_history.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "meeting.hpp"
#include "report.hpp"

namespace muster::emulator::detail {

void access_history::start(unsigned block, int threads, std::size_t bytes) {
  block_ = block;
  if (now_ > ~std::uint32_t{0} / 2) {
    pages_.clear();
    now_ = 1;
  }
  begun_ = known_to_all_ = known_to_all_blocks_ = last_fence_ = known_of_other_blocks_ = fenced_elsewhere_ = now_++;
  known_.assign(static_cast<std::size_t>(threads), {});
  std::size_t const pages = (bytes + page_bytes - 1) / page_bytes;
  if (pages_.size() < pages) pages_.resize(pages);
}

// Of two threads of another block, that block alone knows whether its barriers order them: taken as ordered.
bool access_history::is_known_to(knowledge const& mine, memory_access const& earlier, memory_access const& now) const {
  if (earlier.time <= mine.of_block || earlier.time <= known_to_all_blocks_) return true;
  if (earlier.block != now.block) return earlier.time <= fenced_elsewhere_ || (now.block == block_ && earlier.time <= known_of_other_blocks_);
  if (now.block != block_ || earlier.thread == now.thread || earlier.time <= known_to_all_) return true;
  return earlier.thread / warp_size == now.thread / warp_size && earlier.time <= mine.of_lane[earlier.thread % warp_size];
}

bool access_history::conflicts(knowledge const& mine, memory_access const& earlier, memory_access const& now) const {
  if (earlier.time <= begun_ || !(is_write(earlier.kind) || is_write(now.kind))) return false;
  return !(is_atomic(earlier.kind) && is_atomic(now.kind)) && !is_known_to(mine, earlier, now);
}

// In the place of one that this makes superfluous, because what is ordered after this is ordered after that; else of the second of its warp, since one of two lanes is not the
// lane that may write next; else of any.
void access_history::keep(byte_history& byte, knowledge const& mine, memory_access const& now) {
  memory_access* of_warp[2] = {nullptr, nullptr};
  for (memory_access& each : byte.others) {
    if (each.time <= begun_ || (each.kind == now.kind && is_known_to(mine, each, now))) {
      each = now;
      return;
    }
    if (each.kind != now.kind || each.block != now.block || each.thread / warp_size != now.thread / warp_size) continue;
    (of_warp[0] == nullptr ? of_warp[0] : of_warp[1]) = &each;
  }
  *(of_warp[1] != nullptr ? of_warp[1] : &byte.others[replaced_++ % most_others]) = now;
}

memory_access access_history::add(access_kind kind, unsigned block, int thread, std::size_t first, std::size_t count, void const* from) {
  memory_access const now{from, now_, static_cast<std::uint16_t>(thread), static_cast<std::uint8_t>(block), kind};
  knowledge const nothing;
  knowledge const& mine = block == block_ ? known_[static_cast<std::size_t>(thread)] : nothing;
  memory_access found;
  for (std::size_t i = first; i < first + count; ++i) {
    std::unique_ptr<byte_history[]>& page = pages_[i / page_bytes];
    if (page == nullptr) page = std::make_unique<byte_history[]>(page_bytes);
    byte_history& byte = page[i % page_bytes];
    if (conflicts(mine, byte.write, now)) found = byte.write;
    for (memory_access const& each : byte.others)
      if (conflicts(mine, each, now)) found = each;
    if (kind != access_kind::write) {
      keep(byte, mine, now);
      continue;
    }
    for (memory_access& each : byte.others) each.time = 0;
    byte.write = now;
  }
  return found;
}

void access_history::order_bytes(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    if (std::unique_ptr<byte_history[]> const& page = pages_[i / page_bytes]; page != nullptr) page[i % page_bytes] = {};
  }
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

struct place_in_cluster {
  machine* block = nullptr;  // null: in no shared memory of the cluster
  std::size_t byte = machine::nowhere;
};
place_in_cluster place_of(machine& own, void const* address, std::size_t bytes) {
  std::size_t const here = own.place_in_shared(address, bytes);
  if (here != machine::nowhere) return {&own, here};
  meeting const* const cluster = own.meets[static_cast<int>(block_company::cluster)];
  if (cluster == nullptr) return {};
  for (machine* const each : cluster->blocks) {
    std::size_t const there = each->place_in_shared(address, bytes);
    if (there != machine::nowhere) return {each, there};
  }
  return {};
}

void report_race(machine& block, lane& self, access_kind kind, place_in_cluster where, std::size_t bytes, void const* from, memory_access const& earlier) {
  auto const line_of = place_of_instruction.load();
  meeting const* const cluster = block.meets[static_cast<int>(block_company::cluster)];
  machine& others = earlier.block == block.rank_in_cluster ? block : *cluster->blocks[earlier.block];
  lane const& other = others.lanes[earlier.thread];
  bool const is_of_block = &others == &block, is_neighbour = other.home == self.home;
  report what;
  what.kind = finding_kind::race;
  what.lanes = what.wrong = self.bit | (is_neighbour ? other.bit : 0);
  what.where = line_of(from);
  if (what.where.line == 0) what.elsewhere = "  hint      lines are known of programs that are compiled with -g, where addr2line (binutils) is installed\n";
  bool const is_dynamic = where.byte >= block.job->shared_bytes;
  what.call = std::string(verb(kind)) + " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " of " + (is_dynamic ? "dynamic " : "") + "shared memory" +
              (where.block == &block ? "" : " of block " + place_text(where.block->block_index)) + ", from byte " +
              std::to_string(is_dynamic ? where.byte - block.job->shared_bytes : where.byte) + ", by lane " + std::to_string(self.number);
  what.reason = "lane " + std::to_string(other.number) + (is_neighbour ? "" : " of warp " + std::to_string(other.home->number)) +
                (is_of_block ? "" : " of block " + place_text(others.block_index)) + " came to the same bytes before (" + verb(earlier.kind) + ", " +
                site_text(line_of(earlier.from)) + "), and nothing orders the two: on a GPU either can be first. " +
                (is_neighbour  ? "A sync of a tile or block that both lanes are members of, between the two, does; shuffles and votes do not"
                 : is_of_block ? "A sync of the block between the two does; a sync of a tile, shuffles and votes do not"
                               : "A sync of the cluster between the two does; a sync of a block does not, nor does an algorithm of the cluster");
  add(block, *self.home, what);
}

}  // namespace

void watch_accesses(site (*place_of)(void const* instruction)) { place_of_instruction.store(place_of); }
bool watches_accesses() { return place_of_instruction.load(std::memory_order_relaxed) != nullptr; }

void note_access(access_kind kind, void const* address, std::size_t bytes, void const* from) noexcept {
  auto const [block, self] = running;
  if (bytes == 0 || block == nullptr || block->accesses == nullptr || block->aborting || self->details == nullptr) return;
  place_in_cluster const where = place_of(*block, address, bytes);
  if (where.block == nullptr) {
    for (unsigned char const* const at : {static_cast<unsigned char const*>(address), static_cast<unsigned char const*>(address) + bytes - 1}) {
      shared_memory::neighbourhood const beside = block->memory.beside(at);
      if (beside.object != nullptr) return report_access_beside(*block, *self, beside, verb(kind), bytes, place_of_instruction.load()(from));
    }
    return;
  }
  memory_access const earlier = where.block->accesses->add(kind, block->rank_in_cluster, self->thread, where.byte, bytes, from);
  if (earlier.time != 0) report_race(*block, *self, kind, where, bytes, from, earlier);
}

void note_fence() noexcept {
  auto const [block, self] = running;
  if (block == nullptr || block->accesses == nullptr || self->details == nullptr) return;
  block->accesses->fence(self->thread);
  if (meeting const* const cluster = block->meets[static_cast<int>(block_company::cluster)]; cluster != nullptr) {
    for (machine* const each : cluster->blocks) {
      if (each != block) each->accesses->fence_of_another_block();
    }
  }
}

void let_others_run() noexcept {
  auto const [block, self] = running;
  if (block == nullptr || self->details == nullptr) return;
  try {
    yield();
  } catch (aborted const&) {
    block->abandon_lane(*self);
  }
}

}  // namespace muster::emulator::detail
