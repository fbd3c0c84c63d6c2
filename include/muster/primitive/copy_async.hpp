// Copies from global to shared memory that go on while the threads do something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/backend/async_copy.hpp>
#include <muster/backend/check.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/core/warp.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
struct value_can_be_copied {
  static_assert(is_bytewise_copyable<T>, "muster::copy_async(g, to, from, count): only objects of trivially copyable type are copied as bytes");
  static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>, "muster::copy_async(g, to, from, count): where the values go comes first, then where they are, and it is not const or volatile");
  static constexpr bool value = true;
};

template <class Pending, class Group>
struct copy_belongs_to_group {
  static_assert(std::is_same_v<typename Pending::group, Group>, "muster::pending_copy::wait(g): the copy was begun by another group; wait with the group that began it");
  static constexpr bool value = true;
};

template <int InFlight>
struct copies_in_flight_are_counted {
  static_assert(InFlight >= 0, "muster::pending_copy::wait<InFlight>(g): how many later copies may still be under way; 0 waits for all");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct copy_is_said_whole {
  static_assert(Given < 0, "muster: copy_async(g, to, from, count): where the values go in shared memory, where they are in global memory, two pointers, and how many there are");
  static constexpr bool value = true;
};

// What all members must agree on.
struct copy_arguments {
  void const* to;
  void const* from;
  long long count;
};
template <class T>
struct copy_call;  // names the call at its barrier

// Pieces rank, rank + threads, ... of the bytes from `begin` on; returns where whole pieces end. The rounds in which all members have a piece come first: where their number
// is constant, no comparison is left. Shared memory has less than 2^32 bytes.
template <int Piece>
MUSTER_FN unsigned begin_pieces(copy_arguments const& copy, unsigned begin, unsigned bytes, int rank, int threads, site where) {
  unsigned const end = bytes / Piece * Piece, own = static_cast<unsigned>(rank) * Piece, round = static_cast<unsigned>(threads) * Piece, rounds = (end - begin) / round;
  auto* const to = static_cast<char*>(const_cast<void*>(copy.to)) + begin + own;
  auto const* const from = static_cast<char const*>(copy.from) + begin + own;
  for (unsigned i = 0; i < rounds; ++i) backend::begin_piece<Piece>(to + i * round, from + i * round, where);
  unsigned const rest = end - begin - rounds * round;
  if (own < rest) backend::begin_piece<Piece>(to + rounds * round, from + rounds * round, where);
  return end;
}

// Begins all pieces: as large as addresses allow, and at the end those that are as large as T's alignment promises.
template <class T>
MUSTER_FN void begin_all_pieces(copy_arguments const& copy, unsigned bytes, int rank, int threads, site where) {
  if constexpr (alignof(T) % 16 == 0) {
    begin_pieces<16>(copy, 0, bytes, rank, threads, where);
  } else {
    constexpr bool by_4 = alignof(T) % 4 == 0, by_8 = alignof(T) % 8 == 0;
    auto const misfit = static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(copy.to) | reinterpret_cast<std::uintptr_t>(copy.from)) % 16);
    unsigned begun = 0;
    if (misfit == 0) begun = begin_pieces<16>(copy, 0, bytes, rank, threads, where);
    else if (by_8 || misfit % 8 == 0) begun = begin_pieces<8>(copy, 0, bytes, rank, threads, where);
    else if (by_4 || misfit % 4 == 0) begun = begin_pieces<4>(copy, 0, bytes, rank, threads, where);
    begin_pieces<by_8 ? 8 : by_4 ? 4 : 1>(copy, begun, bytes, rank, threads, where);
  }
}

}  // namespace detail

// A copy that its group has begun.
template <class Group, class T>
class pending_copy {
 public:
  using group = Group;

  // User-provided on purpose: a trivially copyable one could be forged by bit_cast.
  MUSTER_FN pending_copy(pending_copy const& other) : arguments_(other.arguments_), closed_(other.closed_) {}
  pending_copy& operator=(pending_copy const&) = delete;

  // Waits until every member's part is copied; then all members may read it. Copies that the same threads began before this one have ended too, and of those begun after it
  // up to InFlight may still be under way; the emulator reports an InFlight of more than there are. All members call it, with the group that began the copy.
  // Cost: a wait for memory, and sync(g).
  template <int InFlight = 0, class OtherGroup>
  MUSTER_FN void wait(OtherGroup g, site where = site::here()) const {
    static_assert(detail::copy_belongs_to_group<pending_copy, OtherGroup>::value && detail::copies_in_flight_are_counted<InFlight>::value);
    backend::wait_for_pieces<InFlight>(closed_, where);
    if constexpr (any_tile<Group>) sync(g, where);
    else backend::meet_block<detail::copy_call<T>>(arguments_.to, static_cast<int>(arguments_.count + reinterpret_cast<std::intptr_t>(arguments_.from)), where);
  }

 private:
  MUSTER_FN pending_copy(detail::copy_arguments const& arguments, std::uint64_t closed) : arguments_(arguments), closed_(closed) {}
  friend struct detail::mint;
  detail::copy_arguments arguments_;
  std::uint64_t closed_;  // on the emulator; on a GPU always 0
};

// Begins to copy to[0] to to[count - 1], in shared memory, from `from`, in global memory; the members share the work. All members of a tile or block call it with the same
// arguments, each tile its own: the emulator reports others. A block's copy is begun in no narrowed scope. Nobody reads or writes `to`, nor writes `from`, before .wait(g) of
// what this returns: on the emulator `to` is poison until then. Whoever began a copy waits for it.
// count 0 copies nothing. Cost: for each member one cp.async for every num_threads-th piece of 16 bytes, or of 8 or 4 where addresses are aligned to no more (that is looked at
// when it is called, but not for a T that is aligned to 16); what is left at the end goes in pieces of 8 or 4 if T is aligned to them. Bytes of other types that lie at no
// multiple of 4, or at the end, are copied by loads and stores before it returns. Source: PTX ISA, "cp.async".
template <class Group, class T>
  requires(any_tile<Group> || any_block<Group>)
[[nodiscard]] MUSTER_FN pending_copy<Group, T> copy_async(Group g, T* to, std::type_identity_t<T> const* from, int count, site where = site::here()) {
  static_assert(detail::value_can_be_copied<T>::value);
  std::size_t const bytes = count < 1 ? 0 : static_cast<std::size_t>(count) * sizeof(T);
  int const rank = thread_rank(g), threads = static_cast<int>(num_threads(g));
  backend::check_copy(to, from, count, bytes, where);
  detail::copy_arguments const copy{to, from, count};
  if constexpr (any_tile<Group>) backend::check_uniform(g.all_members().bits, Group::width, copy, where);
  else backend::check_no_scope("copy_async of a block", where);
  detail::begin_all_pieces<T>(copy, static_cast<unsigned>(bytes), rank, threads, where);
  return detail::mint::make<pending_copy<Group, T>>(copy, backend::close_pieces());
}

// A call that lacks a part.
template <class Group, class... Args>
  requires((any_tile<Group> || any_block<Group>) && sizeof...(Args) < 3)
MUSTER_FN void copy_async(Group, Args const&...) {
  static_assert(detail::copy_is_said_whole<Group, static_cast<int>(sizeof...(Args))>::value);
}

MUSTER_END
