// Copies from global to shared memory that go on while the threads do something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/backend/async_copy.hpp>
#include <muster/backend/check.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/warp.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
struct value_can_be_copied {
  static_assert(std::is_trivially_copyable_v<T>, "muster::copy_async(g, to, from, count): only objects of trivially copyable type are copied as bytes");
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

// Pieces rank, rank + threads, ... of `bytes` bytes; returns how many bytes are in whole pieces.
template <int Piece>
MUSTER_FN std::size_t begin_pieces(char* to, char const* from, std::size_t bytes, int rank, int threads) {
  std::size_t const whole = bytes / Piece * Piece;
  for (std::size_t i = static_cast<std::size_t>(rank) * Piece; i < whole; i += static_cast<std::size_t>(threads) * Piece) backend::begin_piece<Piece>(to + i, from + i);
  return whole;
}

}  // namespace detail

// A copy that its group has begun.
template <class Group>
class pending_copy {
 public:
  using group = Group;

  // User-provided on purpose: a trivially copyable one could be forged by bit_cast.
  MUSTER_FN pending_copy(pending_copy const& other) : closed_(other.closed_) {}
  pending_copy& operator=(pending_copy const&) = delete;

  // Waits until every member's part is copied; then all members may read it. Copies that the same threads began before this one have ended too, and of those begun after it
  // up to InFlight may still be under way; the emulator reports an InFlight of more than there are. All members call it, with the group that began the copy.
  // Cost: a wait for memory, and sync(g).
  template <int InFlight = 0, class OtherGroup>
  MUSTER_FN void wait(OtherGroup g, site where = site::here()) const {
    static_assert(detail::copy_belongs_to_group<pending_copy, OtherGroup>::value && detail::copies_in_flight_are_counted<InFlight>::value);
    backend::wait_for_pieces<InFlight>(closed_, where);
    sync(g, where);
  }

 private:
  MUSTER_FN explicit pending_copy(std::uint64_t closed) : closed_(closed) {}
  friend struct detail::mint;
  std::uint64_t closed_;  // on the emulator; on a GPU always 0
};

// Begins to copy to[0] to to[count - 1], in shared memory, from `from`, in global memory; the members share the work. All members of a tile or block call it with the same
// arguments, each tile its own. Nobody reads or writes `to`, nor writes `from`, before .wait(g) of what this returns: on the emulator `to` is poison until then.
// count < 1 copies nothing. Cost: for each member one cp.async for every num_threads-th piece of 16 bytes, or of 8 or 4 where addresses are aligned to no more; values of
// one or two bytes that lie at no multiple of 4 are copied by loads and stores before it returns. Source: PTX ISA, "cp.async".
template <class Group, class T>
  requires(any_tile<Group> || any_block<Group>)
[[nodiscard]] MUSTER_FN pending_copy<Group> copy_async(Group g, T* to, std::type_identity_t<T> const* from, int count, [[maybe_unused]] site where = site::here()) {
  static_assert(detail::value_can_be_copied<T>::value);
  std::size_t const bytes = count < 1 ? 0 : static_cast<std::size_t>(count) * sizeof(T);
  int const rank = thread_rank(g), threads = static_cast<int>(num_threads(g));
#if !MUSTER_ON_DEVICE
  if (bytes != 0) emulator::check_in_shared_memory(to, bytes, alignof(T), where);
#endif
  auto* const into = reinterpret_cast<char*>(to);
  auto const* const out_of = reinterpret_cast<char const*>(from);
  auto const misfit = static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16);
  std::size_t const begun = misfit == 0       ? detail::begin_pieces<16>(into, out_of, bytes, rank, threads)
                            : misfit % 8 == 0 ? detail::begin_pieces<8>(into, out_of, bytes, rank, threads)
                            : misfit % 4 == 0 ? detail::begin_pieces<4>(into, out_of, bytes, rank, threads)
                                              : 0;
  for (std::size_t i = begun + static_cast<std::size_t>(rank); i < bytes; i += static_cast<std::size_t>(threads)) into[i] = out_of[i];
  return detail::mint::make<pending_copy<Group>>(backend::close_pieces());
}

MUSTER_END
