// with(x, sum, ...): the state that a narrowing function hands to its body by reference. Strict scopes allow no other way in.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/tile.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
inline constexpr bool is_token = is_tile<T>;

// A token, an array of tokens, a pointer to one. No class derives from a token; one that has a token inside, a lambda that captured one or a reference_wrapper, shows
// nothing of it and passes.
template <class T>
inline constexpr bool leads_to_token = is_token<T>;
template <class T>
inline constexpr bool leads_to_token<T const> = leads_to_token<T>;
template <class T>
inline constexpr bool leads_to_token<T*> = leads_to_token<T>;
template <class T, int N>
inline constexpr bool leads_to_token<T[N]> = leads_to_token<T>;
template <class T, int N>
inline constexpr bool leads_to_token<T const[N]> = leads_to_token<T>;

template <class T>
struct state_is_not_a_token {
  static_assert(!leads_to_token<T>,
                "muster::with(...): a token does not travel as state; the body gets the token of its own scope as its first argument");
  static constexpr bool value = true;
};

template <class T>
struct state_has_a_name {
  static_assert(std::is_lvalue_reference_v<T>,
                "muster::with(...): state is handed on by reference, so that the body can write to it, and a temporary would end before: give it a name, "
                "auto x = ...; with(x)");
  static constexpr bool value = true;
};

// References to the state, as a list: std::tuple cannot be taken apart in device code.
template <class... Ts>
struct state_list;

template <>
struct state_list<> {
  // f(done...); map turns each reference into what the body sees.
  template <class Map, class F, class... Done>
  MUSTER_FN auto call(Map, F const& f, Done&&... done) const {
    return f(static_cast<Done&&>(done)...);
  }
};

template <class T, class... Ts>
struct state_list<T, Ts...> {
  T& head;
  state_list<Ts...> tail;

  template <class Map, class F, class... Done>
  MUSTER_FN auto call(Map map, F const& f, Done&&... done) const {
    return tail.call(map, f, static_cast<Done&&>(done)..., map(head));
  }
};

template <class T>
inline constexpr bool is_state = false;
template <class... Ts>
inline constexpr bool is_state<state_list<Ts...>> = true;

// What a body sees of a piece of state: the thing itself.
struct as_it_is {
  template <class T>
  MUSTER_FN T& operator()(T& value) const {
    return value;
  }
};

MUSTER_FN inline state_list<> make_state() { return {}; }
template <class T, class... Ts>
MUSTER_FN state_list<T, Ts...> make_state(T& head, Ts&... tail) {
  return {head, make_state(tail...)};
}

// What may stand where a narrowing function takes a body: anything but state.
template <class T>
concept body = !is_state<T>;

}  // namespace detail

// Lane i's own objects, for the body to read and write. Refuses tokens, pointers to tokens and arrays of them; a class that wraps one cannot be known as such, and using
// that token in the body is what the emulator reports.
template <class... Ts>
MUSTER_FN detail::state_list<Ts...> with(Ts&... state) {
  static_assert((detail::state_is_not_a_token<Ts>::value && ...));
  return detail::make_state(state...);
}

// Not state but its error message: a temporary among it.
template <class... Ts>
  requires(... || !std::is_lvalue_reference_v<Ts>)
MUSTER_FN detail::state_list<std::remove_reference_t<Ts>...> with(Ts&&... state) {
  static_assert((detail::state_has_a_name<Ts>::value && ...));
  return detail::make_state(state...);
}

MUSTER_END
