// Neighbouring stretches join; anything else is remembered as wrong. Joining does not commute, and a value cannot be made from nothing: a fold that loses the order or
// an operand, or doubles one, shows.
#pragma once

#include <muster/config.hpp>

namespace test {

// Of three numbers, so that Number decides how many bytes travel.
template <class Number>
struct stretch {
  Number first, last;
  Number state;  // 0: empty, 1: right, 2: joined out of order
  MUSTER_FN constexpr stretch(int first, int last, int state)
      : first(static_cast<Number>(first)), last(static_cast<Number>(last)), state(static_cast<Number>(state)) {}
};

struct join {
  static constexpr bool is_commutative = false;
  template <class T>
  MUSTER_FN static T identity() {
    return T(0, 0, 0);
  }
  template <class Number>
  MUSTER_FN stretch<Number> operator()(stretch<Number> const& a, stretch<Number> const& b) const {
    if (a.state == 0) return b;
    if (b.state == 0) return a;
    return stretch<Number>(a.first, b.last, a.state == 1 && b.state == 1 && a.last == b.first ? 1 : 2);
  }
};

}  // namespace test
