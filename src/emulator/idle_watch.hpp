// Whether every OS thread of a launch runs blocks that only yield. Of a plain grid blocks need not run at once, so none may wait for one that starts later; but it may wait
// for one that has started (look-back in the order of tickets), however long that one works. So how long a block has yielded says nothing while another OS thread gets on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace muster::emulator::detail {

// What one OS thread shows of the blocks that it runs.
struct alignas(64) idle_seat {
  std::atomic<std::uint64_t> serial{1};  // of these blocks, in the order in which the thread runs them; 0: it runs none any more
  std::atomic<std::uint64_t> yields{0};  // of their lanes in a row, while none got on
};

// The view of one OS thread, which leaves its seat at the end.
class idle_watch {
 public:
  static constexpr std::uint64_t interval = 1024;  // yields between two looks at the others

  idle_watch(std::vector<idle_seat>& seats, std::size_t own, std::uint64_t most) : seats_(seats), own_(seats[own]), most_(most), seen_(seats.size()) {}
  ~idle_watch() { own_.serial.store(0, std::memory_order_relaxed); }
  idle_watch(idle_watch const&) = delete;
  idle_watch& operator=(idle_watch const&) = delete;

  void start_blocks() {
    own_.yields.store(0, std::memory_order_relaxed);
    own_.serial.fetch_add(1, std::memory_order_relaxed);
  }

  bool is_alone() const { return seats_.size() == 1; }

  // After so many yields in a row: whether they are too many, and those of every other OS thread as well, each counted from when it was first seen at what it runs.
  bool is_over(std::uint64_t yields) {
    own_.yields.store(yields, std::memory_order_relaxed);
    if (yields <= most_) return false;
    bool all_idle = true;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (&seats_[i] == &own_) continue;
      seen const now{seats_[i].serial.load(std::memory_order_relaxed), seats_[i].yields.load(std::memory_order_relaxed)};
      if (now.serial == 0) continue;
      if (now.serial != seen_[i].serial || now.yields < seen_[i].yields) seen_[i] = now;
      all_idle = all_idle && now.yields - seen_[i].yields > most_;
    }
    if (!all_idle) std::this_thread::yield();
    return all_idle;
  }

 private:
  struct seen {
    std::uint64_t serial = 0, yields = 0;
  };

  std::vector<idle_seat>& seats_;
  idle_seat& own_;
  std::uint64_t most_;
  std::vector<seen> seen_;
};

}  // namespace muster::emulator::detail
