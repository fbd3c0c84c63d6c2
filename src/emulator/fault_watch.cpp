// The handler of what the processor does not let pass, which names the lane; and who has these signals while.
#include "fault_watch.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <mutex>

#include "fault_text.hpp"
#include "machine.hpp"

namespace muster::emulator::detail {
namespace {

struct watched_signal {
  int number;
  struct sigaction handled_before;
};

std::mutex access;
int watches = 0;
watched_signal watched[] = {
    {SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}, {SIGILL, {}},
#if defined(__aarch64__)
    {SIGTRAP, {}},  // __builtin_trap() is a breakpoint there
#endif
};

// Not by what the running instruction did. A signal of failing memory that nobody has used yet is none of a lane's either.
bool is_sent(int signal, siginfo_t const& what) {
#if defined(BUS_MCEERR_AO)
  if (signal == SIGBUS && what.si_code == BUS_MCEERR_AO) return true;
#endif
  static_cast<void>(signal);
  return what.si_code <= 0;
}

void hand_on(int signal) {
  for (watched_signal const& each : watched)
    if (each.number == signal) sigaction(signal, &each.handled_before, nullptr);
}

// The instruction is tried again when this returns, and fails for whoever has the signal then. One that somebody sent, and the code of no lane, are theirs alone; what was sent
// comes once, so it is sent again.
void on_fault(int signal, siginfo_t* what, void* context) {
  int const kept_errno = errno;
  running_lane const now = running;
  bool const is_fault = !is_sent(signal, *what), is_of_lane = is_fault && now.block != nullptr && now.self->thread < max_lanes;
  if (is_of_lane) tell_of_fault(*now.block, *now.self, signal, *what, context);
  if (is_of_lane && is_full_stack(*now.block, *now.self, signal, *what, context)) {
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    sigaction(signal, &by_default, nullptr);
  } else {
    hand_on(signal);
    if (!is_fault) raise(signal);
  }
  errno = kept_errno;
}

}  // namespace

fault_watch::fault_watch() {
  stack_t mine{};
  mine.ss_sp = stack_.get();
  mine.ss_size = bytes;
  sigaltstack(&mine, &before_);
  std::lock_guard const guard(access);
  if (watches++ != 0) return;
  struct sigaction handler {};
  handler.sa_sigaction = &on_fault;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (watched_signal& each : watched) sigaction(each.number, &handler, &each.handled_before);
}

fault_watch::~fault_watch() {
  {
    std::lock_guard const guard(access);
    if (--watches == 0) {
      for (watched_signal const& each : watched) {
        struct sigaction now {};
        if (sigaction(each.number, nullptr, &now) == 0 && now.sa_sigaction == &on_fault) sigaction(each.number, &each.handled_before, nullptr);
      }
    }
  }
  if ((before_.ss_flags & SS_DISABLE) != 0) before_.ss_size = bytes;  // which some systems look at all the same
  sigaltstack(&before_, nullptr);
}

}  // namespace muster::emulator::detail
