// The handler of memory faults that names a lane whose stack is full, and who has it while.
#include "stack_watch.hpp"

#include <cstddef>
#include <mutex>

#include <unistd.h>

#include "machine.hpp"

namespace muster::emulator::detail {
namespace {

std::mutex access;
int watches = 0;
struct sigaction handled_before;

// A signal handler may not allocate nor print by stdio: the text grows in a buffer of its own.
class plain_text {
 public:
  plain_text& operator<<(char const* text) {
    for (; *text != 0 && length_ < sizeof text_; ++text) text_[length_++] = *text;
    return *this;
  }
  plain_text& operator<<(std::size_t number) {
    char digits[24];
    int first = sizeof digits - 1;
    digits[first] = 0;
    do digits[--first] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << digits + first;
  }
  plain_text& operator<<(extent place) { return *this << "(" << std::size_t{place.x} << "," << std::size_t{place.y} << "," << std::size_t{place.z} << ")"; }
  void write_to(int file) const {
    for (std::size_t done = 0; done < length_;) {
      ssize_t const more = write(file, text_ + done, length_ - done);
      if (more <= 0) return;
      done += static_cast<std::size_t>(more);
    }
  }

 private:
  char text_[2048];
  std::size_t length_ = 0;
};

void tell_of_full_stack(machine const& block, lane const& full) {
  plain_text text;
  text << "muster emulator: a lane has run out of its stack (stack_overflow)\n  place     block " << block.block_index << ", warp "
       << static_cast<std::size_t>(full.thread) / warp_size << ", lane " << static_cast<std::size_t>(full.number) << ", thread " << full.details->place.thread;
  if (full.where.line != 0) text << "; its last call that named a place is " << full.where.file << ":" << static_cast<std::size_t>(full.where.line);
  text << "\n  reason    the kernel's local variables and calls need more than the " << block.stack_bytes
       << " bytes that a lane has\n  do        launch with a larger stack, on_emulator({.stack_bytes = " << 4 * block.stack_bytes
       << "}), keep large arrays in shared memory, or end the recursion\n  again     seed=" << static_cast<std::size_t>(block.job->settings.seed) << "\n";
  text.write_to(STDERR_FILENO);
}

// The access is tried again when this returns, and fails for whoever has the signal then.
void on_fault(int, siginfo_t* what, void*) {
  running_lane const now = running;
  int const full = now.block != nullptr ? now.block->lane_without_stack(what->si_addr) : -1;
  if (full >= 0) {
    tell_of_full_stack(*now.block, now.block->lanes[static_cast<std::size_t>(full)]);
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &by_default, nullptr);
  } else {
    sigaction(SIGSEGV, &handled_before, nullptr);
  }
}

}  // namespace

stack_watch::stack_watch() {
  stack_t mine{};
  mine.ss_sp = stack_.get();
  mine.ss_size = bytes;
  sigaltstack(&mine, &before_);
  std::lock_guard const guard(access);
  if (watches++ != 0) return;
  struct sigaction handler {};
  handler.sa_sigaction = &on_fault;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &handler, &handled_before);
}

stack_watch::~stack_watch() {
  {
    std::lock_guard const guard(access);
    struct sigaction now {};
    if (--watches == 0 && sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction == &on_fault) sigaction(SIGSEGV, &handled_before, nullptr);
  }
  if ((before_.ss_flags & SS_DISABLE) != 0) before_.ss_size = bytes;  // which some systems look at all the same
  sigaltstack(&before_, nullptr);
}

}  // namespace muster::emulator::detail
