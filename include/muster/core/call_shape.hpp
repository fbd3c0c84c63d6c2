// How many arguments a call has: what the errors of incomplete calls ask, so that none of them stands beside a call that is complete.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/site.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// Neither the place of the call counts, which the library's own calls hand on, nor the state that with(...) made.
template <class... Args>
inline constexpr int argument_count = (0 + ... + (std::is_same_v<Args, site> || is_state<Args> ? 0 : 1));

// What becomes a condition: a bool, and what converts to one; not what is a function, whose address would always be true.
template <class T>
inline constexpr bool is_condition = std::is_convertible_v<T, bool>;
template <class T>
  requires requires(T const& f) { requires std::is_class_v<T> && std::is_function_v<std::remove_pointer_t<decltype(+f)>>; }
inline constexpr bool is_condition<T> = false;

}  // namespace detail

MUSTER_END
