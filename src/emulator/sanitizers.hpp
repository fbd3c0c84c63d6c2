// What AddressSanitizer and ThreadSanitizer must be told of a switch to another stack. In other builds nothing.
#pragma once

#include <cstddef>
#include <vector>

#if !defined(__SANITIZE_ADDRESS__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace muster::emulator::detail {

// Fibers are numbered; the last number is the host's.
class sanitizers {
 public:
#if defined(__SANITIZE_ADDRESS__)
  explicit sanitizers(int host) : host_(static_cast<std::size_t>(host)), stacks_(host_ + 1) {}

  // A fiber will begin at the top of this stack; what an earlier one left there is forgotten.
  void make(int fiber, void* top, std::size_t bytes) {
    void* const bottom = static_cast<unsigned char*>(top) - bytes;
    __asan_unpoison_memory_region(bottom, bytes);
    stacks_[static_cast<std::size_t>(fiber)] = {bottom, bytes, nullptr};
  }
  void leave(int from, int to, bool for_good) {
    stack& next = stacks_[static_cast<std::size_t>(to)];
    __sanitizer_start_switch_fiber(for_good ? nullptr : &stacks_[static_cast<std::size_t>(from)].fake, next.bottom, next.bytes);
  }
  void arrive(int fiber) { __sanitizer_finish_switch_fiber(stacks_[static_cast<std::size_t>(fiber)].fake, nullptr, nullptr); }
  // A fiber's first steps; where it comes from the host, that shows where the host's stack lies.
  void begin(int, bool from_host) {
    void const* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    if (from_host) {
      stacks_[host_].bottom = bottom;
      stacks_[host_].bytes = bytes;
    }
  }

 private:
  struct stack {
    void const* bottom = nullptr;
    std::size_t bytes = 0;
    void* fake = nullptr;
  };
  std::size_t host_;
  std::vector<stack> stacks_;
#elif defined(__SANITIZE_THREAD__)
  explicit sanitizers(int host) : host_(static_cast<std::size_t>(host)), fibers_(host_ + 1) {}
  ~sanitizers() {
    for (std::size_t fiber = 0; fiber < host_; ++fiber) {
      if (fibers_[fiber].known != nullptr) __tsan_destroy_fiber(fibers_[fiber].known);
    }
  }
  sanitizers(sanitizers const&) = delete;
  sanitizers& operator=(sanitizers const&) = delete;

  // A fiber that ends leaves its last frames on ThreadSanitizer's own stack of calls, so one serves a limited number of times.
  void make(int fiber, void*, std::size_t) {
    fibers_[host_].known = __tsan_get_current_fiber();
    counted& mine = fibers_[static_cast<std::size_t>(fiber)];
    if (mine.known != nullptr && mine.uses++ < most_uses) return;
    if (mine.known != nullptr) __tsan_destroy_fiber(mine.known);
    mine = {__tsan_create_fiber(0), 1};
  }
  void leave(int, int to, bool) { __tsan_switch_to_fiber(fibers_[static_cast<std::size_t>(to)].known, 0); }
  void arrive(int) {}
  void begin(int, bool) {}

 private:
  static constexpr int most_uses = 64;
  struct counted {
    void* known = nullptr;
    int uses = 0;
  };
  std::size_t host_;
  std::vector<counted> fibers_;
#else
  explicit sanitizers(int) {}
  void make(int, void*, std::size_t) {}
  void leave(int, int, bool) {}
  void arrive(int) {}
  void begin(int, bool) {}
#endif
};

}  // namespace muster::emulator::detail
