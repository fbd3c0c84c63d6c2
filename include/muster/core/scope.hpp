// What every narrowing function does around a body: checks it, tells the emulator which lanes the scope has, hands over the token and the state.
#pragma once

#include <concepts>
#include <type_traits>

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
  static_assert(body_captures_nothing<Body>::value);
  scope const inside(token.all_members(), where);
  static_assert(body_returns_nothing<decltype(state.call(map, body, token))>::value);
  state.call(map, body, token);
}

// The absent `otherwise`.
struct nothing {
  template <class... Args>
  MUSTER_FN void operator()(Args const&...) const {}
};

}  // namespace detail

MUSTER_END
