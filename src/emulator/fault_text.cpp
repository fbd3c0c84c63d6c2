// What a lane did that the processor does not let pass, in words.
#include "fault_text.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>
#include <unistd.h>

#include <muster/core/operator_law.hpp>
#include <muster/emulator/run.hpp>

#include "plain_text.hpp"
#include "shared_memory.hpp"
#include "type_text.hpp"

namespace muster::emulator::detail {
namespace {

// Members of an object at address 0 lie there too.
constexpr std::uintptr_t end_of_null = 64 * 1024;

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

bool is_access(int signal) { return signal == SIGSEGV || signal == SIGBUS; }

void tell_of_place(plain_text& text, machine const& block, lane const& self) {
  text << "  place     block " << block.block_index << ", warp " << static_cast<std::size_t>(self.thread) / warp_size << ", lane "
       << static_cast<std::size_t>(self.number) << ", thread " << self.details->place.thread;
  if (self.where.line != 0) text << "; its last call that named a place is " << self.where.file << ":" << static_cast<std::size_t>(self.where.line);
  text << "\n  reason    ";
}

void tell_of_full_stack(plain_text& text, machine const& block, lane const& self) {
  text << "muster emulator: a lane has run out of its stack (stack_overflow)\n";
  tell_of_place(text, block, self);
  text << "the kernel's local variables and calls need more than the " << block.stack_bytes
       << " bytes that a lane has\n  do        launch with a larger stack, on_emulator({.stack_bytes = " << 4 * block.stack_bytes
       << "}), keep large arrays in shared memory, or end the recursion";
}

// Whether the system tells which address it was; else it is no address at all.
bool names_address(int signal, siginfo_t const& what) { return signal == SIGBUS || what.si_code == SEGV_MAPERR || what.si_code == SEGV_ACCERR; }

void tell_of_bad_address(plain_text& text, machine const& block, lane const& self, int signal, siginfo_t const& what, void const* context) {
  auto const address = reinterpret_cast<std::uintptr_t>(what.si_addr);
  bool const is_known = names_address(signal, what), is_null = is_known && address < end_of_null;
  shared_memory::neighbourhood const beside = is_known ? block.memory.beside(what.si_addr) : shared_memory::neighbourhood{};
  text << "muster emulator: a lane uses memory that is not there ("
       << (is_null ? "null_pointer" : beside.object != nullptr ? name_of(finding_kind::shared_memory_overrun) : "bad_address") << ")\n";
  tell_of_place(text, block, self);
  text << "it " << (signal == SIGSEGV && is_known ? verb_for(context) : "uses") << " ";
  if (!is_known) {
    text << "an address that no machine has, or not at a multiple of what the access asks for: a pointer that was never set, was overwritten, or is not aligned for its type";
    return;
  }
  text.in_hexadecimal(address);
  if (is_null) {
    text << ": a null pointer, or a member or an element of what it should point to";
  } else if (beside.object != nullptr) {
    text << ": byte " << (beside.byte < 0 ? "-" : "") << static_cast<std::size_t>(beside.byte < 0 ? -beside.byte : beside.byte) << " of " << beside.object << ", which has "
         << beside.bytes << " bytes";
  } else if (signal == SIGBUS) {
    text << (what.si_code == BUS_ADRALN ? ", which is no multiple of what the access asks for: a pointer that is not aligned for its type"
                                        : ": behind the end of the file that is mapped there, or memory that fails");
  }
}

void tell_of_arithmetic(plain_text& text, machine const& block, lane const& self, siginfo_t const& what) {
  bool const is_integer = what.si_code == FPE_INTDIV || what.si_code == FPE_INTOVF;
  text << "muster emulator: what a lane calculates has no result (" << (is_integer ? "integer_division" : "floating_point") << ")\n";
  tell_of_place(text, block, self);
  text << (is_integer ? "it divides an integer by 0, or overflows by dividing" : "it raises a floating-point exception for which the process has asked to be stopped");
}

void tell_of_trap(plain_text& text, machine const& block, lane const& self) {
  text << "muster emulator: a lane stops (trap)\n";
  tell_of_place(text, block, self);
  text << "it stops itself (trap), as __builtin_trap() does, or it comes to an instruction that this processor does not have";
}

void tell_of_trial(plain_text& text, tried_operator const& trial) {
  bool const is_of_neutral = trial.law == operator_law::neutral || trial.law == operator_law::neutral_after;
  text << "\n  trial     the emulator was trying the fold's operator ";
  text.add(type_in(trial.type));
  text << " on its " << (is_of_neutral ? "neutral" : "identity")
       << "<T>(), which it must take like any value: a scan begins with it, and lanes without a value are folded with it";
}

}  // namespace

bool is_full_stack(machine const& block, lane const& self, int signal, siginfo_t const& what, void const* context) {
  return is_access(signal) && block.has_run_out_of_stack(self, what.si_addr, stack_pointer_of(context));
}

void tell_of_fault(machine const& block, lane const& self, int signal, siginfo_t const& what, void const* context) {
  plain_text text;
  if (is_full_stack(block, self, signal, what, context)) tell_of_full_stack(text, block, self);
  else if (is_access(signal)) tell_of_bad_address(text, block, self, signal, what, context);
  else if (signal == SIGFPE) tell_of_arithmetic(text, block, self, what);
  else tell_of_trap(text, block, self);
  if (self.details->trial.type != nullptr) tell_of_trial(text, self.details->trial);
  text << "\n  again     seed=" << static_cast<std::size_t>(block.job->settings.seed) << "\n";
  text.write_to(STDERR_FILENO);
}

}  // namespace muster::emulator::detail
