// The handler of memory faults that names the lane at fault, above all one whose stack is full, and who has it while.
#include "stack_watch.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <ucontext.h>
#include <unistd.h>

#include <muster/emulator/run.hpp>

#include "machine.hpp"
#include "shared_memory.hpp"

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
  plain_text& in_hexadecimal(std::uintptr_t number) {
    *this << "0x";
    int digit = 2 * sizeof number - 1;
    while (digit > 0 && number >> (4 * digit) == 0) --digit;
    for (; digit >= 0 && length_ < sizeof text_; --digit) text_[length_++] = "0123456789abcdef"[number >> (4 * digit) & 15u];
    return *this;
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

void tell_of_place(plain_text& text, machine const& block, lane const& self) {
  text << "  place     block " << block.block_index << ", warp " << static_cast<std::size_t>(self.thread) / warp_size << ", lane "
       << static_cast<std::size_t>(self.number) << ", thread " << self.details->place.thread;
  if (self.where.line != 0) text << "; its last call that named a place is " << self.where.file << ":" << static_cast<std::size_t>(self.where.line);
}

void tell_of_full_stack(machine const& block, lane const& full) {
  plain_text text;
  text << "muster emulator: a lane has run out of its stack (stack_overflow)\n";
  tell_of_place(text, block, full);
  text << "\n  reason    the kernel's local variables and calls need more than the " << block.stack_bytes
       << " bytes that a lane has\n  do        launch with a larger stack, on_emulator({.stack_bytes = " << 4 * block.stack_bytes
       << "}), keep large arrays in shared memory, or end the recursion\n  again     seed=" << static_cast<std::size_t>(block.job->settings.seed) << "\n";
  text.write_to(STDERR_FILENO);
}

// Of the code that failed; 0 where the machine does not tell.
std::uintptr_t stack_pointer_of([[maybe_unused]] void const* context) {
#if defined(__x86_64__) && defined(__linux__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t const*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__) && defined(__linux__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t const*>(context)->uc_mcontext.sp);
#else
  return 0;
#endif
}

// Whether it was a write, where the machine tells.
char const* verb_for([[maybe_unused]] void const* context) {
#if defined(__x86_64__) && defined(__linux__)
  auto const& registers = static_cast<ucontext_t const*>(context)->uc_mcontext;
  return (static_cast<unsigned long long>(registers.gregs[REG_ERR]) & 2u) != 0 ? "writes to" : "reads";
#else
  return "uses";
#endif
}

// Members of an object at address 0 lie there too.
constexpr std::uintptr_t end_of_null = 64 * 1024;

void tell_of_bad_address(machine const& block, lane const& self, siginfo_t const& what, void const* context) {
  auto const address = reinterpret_cast<std::uintptr_t>(what.si_addr);
  bool const is_known = what.si_code == SEGV_MAPERR || what.si_code == SEGV_ACCERR;  // else it is no address at all, and not told
  bool const is_null = is_known && address < end_of_null;
  shared_memory::neighbourhood const beside = is_known ? block.memory.beside(what.si_addr) : shared_memory::neighbourhood{};
  plain_text text;
  text << "muster emulator: a lane uses memory that is not there ("
       << (is_null ? "null_pointer" : beside.object != nullptr ? name_of(finding_kind::shared_memory_overrun) : "bad_address") << ")\n";
  tell_of_place(text, block, self);
  text << "\n  reason    it " << (is_known ? verb_for(context) : "uses") << " ";
  if (is_known) text.in_hexadecimal(address) << (is_null ? ": a null pointer, or a member or an element of what it should point to" : "");
  else text << "an address that no machine has, or not at a multiple of what the access asks for: a pointer that was never set, was overwritten, or is not aligned for its type";
  if (beside.object != nullptr) {
    text << ": byte " << (beside.byte < 0 ? "-" : "") << static_cast<std::size_t>(beside.byte < 0 ? -beside.byte : beside.byte) << " of " << beside.object << ", which has "
         << beside.bytes << " bytes";
  }
  text << "\n  again     seed=" << static_cast<std::size_t>(block.job->settings.seed) << "\n";
  text.write_to(STDERR_FILENO);
}

// The access is tried again when this returns, and fails for whoever has the signal then. One that somebody sent, and the code of no lane, are theirs alone; what was sent
// comes once, so it is sent again.
void on_fault(int signal, siginfo_t* what, void* context) {
  int const kept_errno = errno;
  running_lane const now = running;
  bool const is_access = what->si_code > 0;
  bool const is_of_lane = is_access && now.block != nullptr && now.self->thread < max_lanes;
  if (is_of_lane && now.block->has_run_out_of_stack(*now.self, what->si_addr, stack_pointer_of(context))) {
    tell_of_full_stack(*now.block, *now.self);
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &by_default, nullptr);
  } else {
    if (is_of_lane) tell_of_bad_address(*now.block, *now.self, *what, context);
    sigaction(SIGSEGV, &handled_before, nullptr);
    if (!is_access) raise(signal);
  }
  errno = kept_errno;
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
