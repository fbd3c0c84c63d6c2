// What is asked of a device once and remembered: a process may use several, which differ.
#pragma once

#include <atomic>

#include <muster/config.hpp>

MUSTER_BEGIN

namespace detail {

// A number, 0 or greater, for each device. Threads that ask at the same time may each ask.
class fact_of_devices {
 public:
  // The fact about this device: ask(), or what that gave before. What it throws is not remembered.
  template <class Ask>
  int of(int device, Ask const& ask) {
    if (device < 0 || device >= most) return ask();
    int const known = known_[device].load(std::memory_order_relaxed);
    if (known > 0) return known - 1;
    int const found = ask();
    known_[device].store(found + 1, std::memory_order_relaxed);
    return found;
  }

 private:
  static constexpr int most = 64;
  std::atomic<int> known_[most]{};  // and 1 more; 0: not asked yet
};

}  // namespace detail

MUSTER_END
