// One switch from fiber to fiber: Boost.Context's jump_fcontext, and on x86-64 the way it is entered.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace muster::emulator::detail {

namespace fibers = boost::context::detail;

// jump_fcontext comes back by a jump, not by a return. Entered by a call, it leaves one entry too many in the processor's return-address
// predictor, and each return of the resumed fiber is then predicted wrongly, which costs more than the switch. So where the calling
// convention is known it is entered by a jump as well, with the address to come back to pushed by hand.
[[gnu::always_inline]] inline fibers::transfer_t switch_fiber(fibers::fcontext_t to, void* data) {
#if defined(__x86_64__) && defined(__ELF__)
  void* from;
  void* received;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // below what a leaf function may keep under its stack pointer
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "jmp jump_fcontext@PLT\n"
      "1:\n\t"
      "endbr64\n\t"  // a landing place, should indirect branches be tracked; else nothing
      "leaq 128(%%rsp), %%rsp"
      : "=a"(from), "=d"(received), "+D"(to), "+S"(data)
      :
      : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "memory", "cc");
  return {from, received};
#else
  return fibers::jump_fcontext(to, data);
#endif
}

}  // namespace muster::emulator::detail
