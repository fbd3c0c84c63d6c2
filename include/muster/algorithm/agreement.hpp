// Whether the members of a group got the same result of a fold, as its type says: of an operator or a policy of one's own this is only claimed. An operator with a state that
// differs between lanes, one that says falsely that it commutes bitwise, a policy that hands on too little would make a uniform lie. Checked on the emulator.
#pragma once

#include <type_traits>

#include <muster/backend/check.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Op>
inline constexpr bool is_own_operator = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
                                        std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>;

// Two objects are compared by their bytes, so padding must be none, or be cleared, which nvcc's front end and older compilers cannot: there such types are not checked.
template <class T>
inline constexpr bool bytes_can_be_compared = MUSTER_CLEARS_PADDING != 0 || std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>;

// Nothing is checked where the library alone is at work.
template <class Policy, class Op, class T>
inline constexpr bool agreement_is_checked = !(is_own_policy<Policy> && is_own_operator<Op>) && bytes_can_be_compared<T>;

// A value whose bytes tell what it is. NaNs count as the same.
template <class T>
MUSTER_FN T comparable(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) value = numeric<T>::nan();
  }
#if MUSTER_CLEARS_PADDING
  __builtin_clear_padding(&value);
#endif
  return value;
}

// One rendezvous.
template <class Policy, class Op, int Width, class Members, class T>
MUSTER_FN void check_agreement([[maybe_unused]] tile<Width, Members> g, [[maybe_unused]] T const& result, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  if constexpr (agreement_is_checked<Policy, Op, T>) backend::check_uniform(g.all_members().bits, Width, comparable(result), where);
#endif
}

// Of a block and of a cluster: no rendezvous, as the fold has been one.
template <class Policy, class Op, class T>
MUSTER_FN void check_agreement_of_block([[maybe_unused]] T const& result, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  if constexpr (agreement_is_checked<Policy, Op, T>) {
    T const seen = comparable(result);
    emulator::check_same_in_block(__builtin_addressof(seen), sizeof seen, where);
  }
#endif
}
template <class Policy, class Op, class T>
MUSTER_FN void check_agreement_of_cluster([[maybe_unused]] T const& result, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  if constexpr (agreement_is_checked<Policy, Op, T>) {
    T const seen = comparable(result);
    emulator::check_same_in_cluster(__builtin_addressof(seen), sizeof seen, where);
  }
#endif
}

}  // namespace detail

MUSTER_END
