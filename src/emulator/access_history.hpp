// Who read and wrote each byte of a block's shared memory since the lanes were last synchronised, in programs that are compiled to tell (src/racecheck).
// Time is counted in synchronisations: what a lane knows to be before it are accesses up to a time, of each lane of its warp, of the whole block, and of the blocks of its cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>

namespace muster::emulator::detail {

enum class access_kind : std::uint8_t { read, write, atomic_read, atomic_write };

constexpr bool is_write(access_kind kind) { return kind == access_kind::write || kind == access_kind::atomic_write; }
constexpr bool is_atomic(access_kind kind) { return kind == access_kind::atomic_read || kind == access_kind::atomic_write; }

struct memory_access {
  void const* from = nullptr;  // the instruction after it
  std::uint32_t time = 0;
  std::uint16_t thread = 0;  // of its block
  std::uint8_t block = 0;    // its rank in the cluster
  access_kind kind{};
};

class access_history {
 public:
  // A block begins, of this rank in its cluster: nothing has been accessed.
  void start(unsigned block, int threads, std::size_t bytes);

  // Adds an access to the bytes [first, first + count). Returns an earlier one to the same byte that no synchronisation orders, if one of the two writes and not both are
  // atomic; else one of time 0.
  memory_access add(access_kind kind, unsigned block, int thread, std::size_t first, std::size_t count, void const* from);

  // bar.warp.sync: each member knows what any of them knew, and what all did.
  void sync_members(int first_thread, std::uint32_t members);
  // A barrier of the block: everyone knows everything.
  void sync_block() {
    known_to_all_ = now_++;
    known_of_other_blocks_ = last_fence_;
  }
  // A barrier of the cluster or grid: everyone in every block of it does.
  void sync_blocks() { known_to_all_ = known_to_all_blocks_ = now_++; }
  // Blocks have exchanged values in these bytes: everyone in every block knows what was done to them, and of other bytes nothing more.
  void order_bytes(std::size_t first, std::size_t count);
  // A fence, or an atomic operation that acquires: taken to order all that was before it. What it does order depends on whom the thread heard from; this finds
  // less, and nothing that is not there.
  void fence(int thread) { known_[static_cast<std::size_t>(thread)].of_block = last_fence_ = now_++; }
  void fence_of_another_block() { fenced_elsewhere_ = now_++; }

 private:
  // The last write that was not atomic, and of the reads and atomic accesses since then as many as there is room for, of different warps where they can be.
  static constexpr int most_others = 6;
  struct byte_history {
    memory_access write;
    memory_access others[most_others];
  };
  struct knowledge {
    std::uint32_t of_lane[warp_size] = {};  // of the warp
    std::uint32_t of_block = 0;
  };

  bool is_known_to(knowledge const& mine, memory_access const& earlier, memory_access const& now) const;
  bool conflicts(knowledge const& mine, memory_access const& earlier, memory_access const& now) const;
  void keep(byte_history& byte, knowledge const& mine, memory_access const& now);

  std::uint32_t now_ = 1;
  std::uint32_t begun_ = 0;         // accesses up to then are of another block
  std::uint32_t known_to_all_ = 0;  // of the block
  std::uint32_t known_to_all_blocks_ = 0;
  std::uint32_t last_fence_ = 0;             // of a thread of the block
  std::uint32_t known_of_other_blocks_ = 0;  // of what they did here, to all of the block
  std::uint32_t fenced_elsewhere_ = 0;       // last, by a thread of another block
  unsigned block_ = 0;
  std::uint32_t replaced_ = 0;
  std::vector<knowledge> known_;    // to each thread
  static constexpr std::size_t page_bytes = 256;  // made when one of them is accessed
  std::vector<std::unique_ptr<byte_history[]>> pages_;
};

// To be called once, before any kernel runs: from now on blocks keep a history. place_of tells the line of an instruction.
void watch_accesses(site (*place_of)(void const* instruction));
bool watches_accesses();

// Called before an access of the running thread, from anywhere: what is not shared memory of the running block is of no interest. Never throws: compilers take for granted
// that what they call for an access does not.
void note_access(access_kind kind, void const* address, std::size_t bytes, void const* from) noexcept;
void note_fence() noexcept;

// Lets other lanes run, from where an exception cannot pass: a lane of a block that has to end ends here, without its destructors.
void let_others_run() noexcept;

}  // namespace muster::emulator::detail
