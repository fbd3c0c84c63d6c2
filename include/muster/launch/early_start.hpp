// What a kernel does that begins while the one before it in its stream still runs.
#pragma once

#include <type_traits>

#include <muster/backend/early_start.hpp>
#include <muster/config.hpp>

MUSTER_BEGIN

namespace detail {

// The type of `starts_early` in a kernel of the library that has work for the time before: preamble(block, [shared,] args...), which touches no global memory but by
// prefetching.
struct after_preamble {};

template <class Kernel, class = void>
struct early_start_of {
  static constexpr bool is_wanted = false, has_preamble = false;
};
template <class Kernel>
struct early_start_of<Kernel, std::void_t<decltype(Kernel::starts_early)>> {
  using said = std::remove_cv_t<decltype(Kernel::starts_early)>;
  static constexpr bool has_preamble = std::is_same_v<said, after_preamble>;
  static constexpr bool is_constant = has_preamble || (std::is_same_v<said, bool> && requires { typename std::bool_constant<Kernel::starts_early>; });
  static_assert(is_constant, "muster::launch: whether a kernel begins early is a public constant of type bool: static constexpr bool starts_early = true;");
  static constexpr bool is_wanted = [] {
    if constexpr (has_preamble || !is_constant) return true;
    else return Kernel::starts_early;
  }();
};

// What each thread does before the kernel's call, which is given the same. It waits first: the next kernel begins when all before this one have ended, so that what it does
// before its own wait meets one kernel at most. Its blocks then hold registers and shared memory beside this one's.
template <class Kernel, class... Given>
MUSTER_FN void begin_early([[maybe_unused]] Kernel const& kernel, [[maybe_unused]] Given&... given) {
  if constexpr (early_start_of<Kernel>::is_wanted) {
    if constexpr (early_start_of<Kernel>::has_preamble) kernel.preamble(given...);
    backend::wait_for_earlier_kernels();
    backend::let_next_kernel_begin();
  }
}

}  // namespace detail

MUSTER_END
