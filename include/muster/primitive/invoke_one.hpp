// One member acts for its tile.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/is_rank.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/core/with.hpp>
#include <muster/primitive/shuffle.hpp>

MUSTER_BEGIN

namespace detail {

template <class Result>
struct leader_returns_a_value {
  static_assert(!std::is_void_v<Result>, "muster::invoke_one_broadcast(tile, f): f returns what all members get; where it returns nothing: invoke_one(tile, f)");
  static constexpr bool value = true;
};

}  // namespace detail

// f(state...) in the member of rank 0 of each tile, nothing in the others. f gets no token: it speaks to nobody. Every member must call it.
// It orders no memory: sync(g) makes its writes visible to the tile. Cost: a comparison.
template <int Width, class Members, class... Ts, detail::body F>
MUSTER_FN void invoke_one(tile<Width, Members> g, detail::state_list<Ts...> state, F const& f, site where = site::here()) {
  constexpr bool takes = detail::can_call<F, detail::as_it_is, detail::state_list<Ts...>>;
  static_assert(detail::body_captures_nothing<F>::value && detail::body_takes_token_and_state<F, takes>::value);
  detail::call_roll(g, narrowing_kind::invoke_one, 0, where);
  if (detail::is_rank<0>(g)) {
    detail::scope const inside(lane_set::single(backend::lane()), where);
    if constexpr (takes) static_cast<void>(state.call(detail::as_it_is{}, f));
  }
}
template <int Width, class Members, detail::body F>
MUSTER_FN void invoke_one(tile<Width, Members> g, F const& f, site where = site::here()) {
  invoke_one(g, with(), f, where);
}

// f() in the member of rank 0 of each tile; every member gets its result. The result may be a pointer. Cost: a comparison and one shfl a word.
template <int Width, class Members, class... Ts, detail::body F>
MUSTER_FN auto invoke_one_broadcast(tile<Width, Members> g, detail::state_list<Ts...> state, F const& f, site where = site::here()) {
  constexpr bool takes = detail::can_call<F, detail::as_it_is, detail::state_list<Ts...>>;
  static_assert(detail::body_captures_nothing<F>::value && detail::body_takes_token_and_state<F, takes>::value);
  if constexpr (takes) {
    using result = std::remove_cvref_t<decltype(state.call(detail::as_it_is{}, f))>;
    static_assert(detail::leader_returns_a_value<result>::value);
    if constexpr (!std::is_void_v<result>) {
      static_assert(detail::value_or_pointer_can_travel<result>::value);
      union slot {  // the result of one member; in the others there is none
        MUSTER_FN slot() {}
        result value;
        unsigned char bytes[sizeof(result)];
      } made;
      __builtin_memset(made.bytes, 0, sizeof made.bytes);
      if (detail::is_rank<0>(g)) {
        detail::scope const inside(lane_set::single(backend::lane()), where);
        made.value = state.call(detail::as_it_is{}, f);
      }
      return broadcast<0>(g, made.value, where);
    }
  }
}
template <int Width, class Members, detail::body F>
MUSTER_FN auto invoke_one_broadcast(tile<Width, Members> g, F const& f, site where = site::here()) {
  return invoke_one_broadcast(g, with(), f, where);
}

MUSTER_END
