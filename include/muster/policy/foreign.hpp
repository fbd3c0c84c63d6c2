// What the policies that call another library share: which groups those libraries know, and how values and operators are handed to them.
#pragma once

#include <concepts>
#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>

MUSTER_BEGIN

namespace policy::foreign_parts {

// Every lane of the warp is there, cut into whole tiles, and the program knows it when it is compiled.
template <class Group>
inline constexpr bool is_partition_of_whole_warp = Group::facts::is_static && Group::facts::is_full && Group::facts::static_members == all_lanes;

// Libraries make empty objects and copy bytes into them.
template <class T>
inline constexpr bool travels_as_it_is = std::is_trivially_copyable_v<T> && std::default_initializable<T>;

// An operator on values, as an operator on their words.
template <class T, class Op>
struct on_words {
  using words = backend::words<sizeof(T)>;
  Op op;
  T like;
  MUSTER_FN words operator()(words const& a, words const& b) const { return backend::to_words(op(backend::from_words(a, like), backend::from_words(b, like))); }
};

// call(value, operator) with the value itself, or with its words where a library could not handle it.
template <class T, class Op, class Call>
MUSTER_FN T as_library_value(T const& v, Op const& op, Call const& call) {
  if constexpr (travels_as_it_is<T>) {
    return call(v, op);
  } else {
    return backend::from_words(call(backend::to_words(v), on_words<T, Op>{op, v}), v);
  }
}

#if !MUSTER_ON_DEVICE
// The answer of a machine without a GPU: the policy's reason, thrown out of the kernel.
template <class Policy, class T>
[[noreturn]] T needs_gpu(site where) {
  emulator::fail(Policy::reason_without_gpu, where);
}
#endif

}  // namespace policy::foreign_parts

MUSTER_END
