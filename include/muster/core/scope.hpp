// What every narrowing function does around a body: checks it, tells the emulator which lanes the scope has, hands over the token and the state.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// Strict scopes: a body that captures nothing cannot name the outer token.
template <class Body>
struct body_captures_nothing {
#if defined(MUSTER_STRICT_SCOPES)
  static_assert(std::is_empty_v<Body> && std::default_initializable<Body>,
                "muster (strict scopes): a body captures nothing, so that the outer token cannot be used inside; pass its state through with(x, ...)");
#endif
  static constexpr bool value = true;
};

template <class Result>
struct body_returns_nothing {
  static_assert(std::is_void_v<Result>,
                "muster: a body returns nothing (a value of some lanes is undefined in the others); write results to state, or use reduce_to, broadcast, invoke_one_broadcast");
  static constexpr bool value = true;
};

template <class Body, bool Takes>
struct body_takes_token_and_state {
  static_assert(Takes,
                "muster: the body cannot be called with the token of its scope and the state: it takes the token first, by value, and then "
                "a reference to each piece of state, branch(g, p, with(x), [&](auto g, auto& x){ ... }); what invoke_one calls takes the "
                "state alone");
  static constexpr bool value = true;
};

// Whether f(given..., a reference to each piece of state) can be called; an error if not, so that the compiler's own need not be read.
template <class F, class Map, class List, class... Given>
inline constexpr bool can_call = false;
template <class F, class Map, class... Ts, class... Given>
inline constexpr bool can_call<F, Map, state_list<Ts...>, Given...> =
    std::is_invocable_v<F const&, Given..., decltype(std::declval<Map const&>()(std::declval<Ts&>()))...>;

// The emulator's stack of scopes, one level for the lifetime of this object. Nothing on a GPU.
class scope {
 public:
#if MUSTER_ON_DEVICE
  MUSTER_FN scope(lane_set, site) {}
#else
  MUSTER_FN scope(lane_set members, site where) { emulator::enter_scope(members.bits, where); }
  MUSTER_FN ~scope() { emulator::leave_scope(); }
#endif
  scope(scope const&) = delete;
  scope& operator=(scope const&) = delete;
};

// Runs a body in a scope: body(token, state...).
template <class Token, class Body, class... Ts, class Map = as_it_is>
MUSTER_FN void enter(Token token, Body const& body, state_list<Ts...> const& state, site where, Map map = {}) {
  constexpr bool takes = can_call<Body, Map, state_list<Ts...>, Token&>;
  static_assert(body_captures_nothing<Body>::value && body_takes_token_and_state<Body, takes>::value);
  scope const inside(token.all_members(), where);
  if constexpr (takes) {
    static_assert(body_returns_nothing<decltype(state.call(map, body, token))>::value);
    state.call(map, body, token);
  }
}

// The absent `otherwise`.
struct nothing {
  template <class... Args>
  MUSTER_FN void operator()(Args const&...) const {}
};

}  // namespace detail

MUSTER_END
