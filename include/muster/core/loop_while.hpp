// loop_while: trips that lanes, or tiles, leave one by one.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/narrow_to.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// Names the vote that ends a trip: nothing else may be what others of the group meet it in.
template <class Predicate, class Body>
struct loop_vote;

template <class Predicate, class Group, class... Ts>
struct predicate_result {
  using type = bool;  // of one that cannot be called; refused
  static_assert(body_takes_token_and_state<Predicate, false>::value);
};
template <class Predicate, class Group, class... Ts>
  requires can_call<Predicate, as_it_is, state_list<Ts...>, Group const&>
struct predicate_result<Predicate, Group, Ts...> {
  using type = std::invoke_result_t<Predicate const&, Group const&, Ts&...>;
};

template <class Result>
struct predicate_returns_a_condition {
  static_assert(is_uniform<Result> || std::is_constructible_v<bool, Result>,
                "muster::loop_while(g, predicate, body): the predicate returns a bool, or a uniform of the group it is given");
  static constexpr bool value = true;
};

template <class Predicate, class Body>
struct loop_brand;

}  // namespace detail

// While predicate(token, state...) holds: body(token, state...), in the members for which it still holds. The predicate is asked again on each trip by those that
// remain; leaving is final. If it returns a bool, the tokens are dynamic, and a vote finds who remains. If it returns a uniform of the group it is given, it is given
// the group where that has one tile, otherwise the caller's tile, and whole tiles leave.
template <int Width, class Members, class... Ts, detail::body Predicate, detail::body Body>
MUSTER_FN void loop_while(tile<Width, Members> g, detail::state_list<Ts...> state, Predicate const& predicate, Body const& body, site where = site::here()) {
  static_assert(detail::body_captures_nothing<Predicate>::value);
  using brand = detail::loop_brand<Predicate, Body>;
  auto const own = detail::narrow_to_tile<brand>(g);
  using own_group = std::remove_const_t<decltype(own)>;
  using result = typename detail::predicate_result<Predicate, own_group, Ts...>::type;
  static_assert(detail::predicate_returns_a_condition<result>::value);
  if constexpr (!detail::can_call<Predicate, detail::as_it_is, detail::state_list<Ts...>, own_group const&> || std::is_void_v<result>) {
    // refused above
  } else if constexpr (detail::is_uniform<result>) {
    static_assert(detail::is_uniform_in<own_group, typename result::group>::value);
    if constexpr (!std::is_same_v<own_group, tile<Width, Members>>) detail::call_roll(g, narrowing_kind::loop_while, 0, where);
    while (true) {
      bool again = false;
      {
        detail::scope const inside(own.all_members(), where);
        again = static_cast<bool>(state.call(detail::as_it_is{}, predicate, own).value());
      }
      detail::call_roll_on(again, own, narrowing_kind::loop_while, detail::agreeing_width<typename result::group, Width>, where);
      if (!again) break;
      detail::enter(own, body, state, where);
    }
  } else {
    lane_set remaining = g.all_members();
    while (true) {
      auto const asked = detail::narrow_to<brand, true>(g, remaining);
      bool again = false;
      {
        detail::scope const inside(remaining, where);
        again = static_cast<bool>(state.call(detail::as_it_is{}, predicate, asked));
      }
      remaining = lane_set{backend::ballot(remaining.bits, again, detail::call_of<detail::loop_vote<Predicate, Body>>(where))};
      if (!again) break;
      detail::enter(detail::narrow_to<brand, true>(g, remaining), body, state, where);
    }
  }
}
template <int Width, class Members, detail::body Predicate, detail::body Body>
MUSTER_FN void loop_while(tile<Width, Members> g, Predicate const& predicate, Body const& body, site where = site::here()) {
  loop_while(g, with(), predicate, body, where);
}

MUSTER_END
