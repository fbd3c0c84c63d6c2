// block_storage<T, Dims>: the shared memory in which a block's algorithms on values of T meet. Declared by its type in the kernel's `shared`, placed by the launch.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/block_way.hpp>
#include <muster/backend/warp.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace detail {

// Words of shared memory, aligned for the widest access.
template <int Count>
struct word_array {
  alignas(16) std::uint32_t word[Count];
};
template <>
struct word_array<0> {};

struct storage_access;

template <class T, bool Travels>
struct storage_is_for_values {
  static_assert(Travels, "muster::block_storage<T, Dims>: T is what the threads exchange, a trivially copyable value");
  static constexpr bool value = true;
};

template <class Dims, bool IsShape>
struct storage_is_for_a_block_shape {
  static_assert(IsShape, "muster::block_storage<T, Dims>: Dims is the block's shape, block_dims<X, Y, Z> or dynamic_block_dims, as the kernel is launched with");
  static constexpr bool value = true;
};

template <class T>
inline constexpr bool is_block_shape = false;
template <unsigned X, unsigned Y, unsigned Z>
inline constexpr bool is_block_shape<block_dims<X, Y, Z>> = true;
template <>
inline constexpr bool is_block_shape<dynamic_block_dims> = true;

}  // namespace detail

// struct shared { muster::block_storage<float, muster::block_dims<256>> fold; };       in the kernel
// float const total = muster::reduce(block, s.fold, v, muster::plus{});
//
// One storage serves every algorithm on values of T in a block of this shape, one call after the other, and no barrier is the caller's between them: each call
// protects what an earlier one may still be reading. Who uses the same bytes for something else (a union) puts a sync(block) between. A block of one warp needs no
// memory: the storage is an empty object.
template <class T, class Dims>
class block_storage {
  static_assert(detail::storage_is_for_values<T, is_bytewise_copyable<T> || std::is_pointer_v<T>>::value);
  static_assert(detail::storage_is_for_a_block_shape<Dims, detail::is_block_shape<Dims>>::value);

 public:
  using value_type = T;
  using dims = Dims;

 private:
  static constexpr detail::storage_words words = detail::words_for<T, Dims>();
  detail::word_array<words.met_by_one_warp> met_by_one_warp_;
  detail::word_array<words.met_by_every_warp> met_by_every_warp_;
  detail::word_array<words.handed_out> handed_out_;
  friend struct detail::storage_access;
};

namespace detail {

// The three parts of a storage. A call that every warp ends by reading begins with a barrier and writes only the first; a call that one warp finishes writes the second
// before its first barrier, reads it before its second, writes the third between the two and reads that behind them. So whichever two calls follow each other, no warp writes
// what a slower one still reads.
struct meeting_place {
  std::uint32_t* met_by_every_warp;
  std::uint32_t* met_by_one_warp;
  std::uint32_t* handed_out;
};

struct storage_access {
  template <class T, class Dims>
  MUSTER_FN static meeting_place of(block_storage<T, Dims>& s, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
    if constexpr (block_storage<T, Dims>::words.met_by_every_warp != 0) emulator::check_in_shared_memory(__builtin_addressof(s), sizeof s, alignof(block_storage<T, Dims>), where);
#endif
    auto* const kept = backend::kept_address(__builtin_addressof(s));
    return {kept->met_by_every_warp_.word, kept->met_by_one_warp_.word, kept->handed_out_.word};
  }
};

template <class T>
inline constexpr bool is_own_storage = false;
template <class T, class Dims>
inline constexpr bool is_own_storage<block_storage<T, Dims>> = true;

// What stands where a block's algorithm takes its storage; policies that call another library bring types of their own.
template <class T>
inline constexpr bool is_block_storage = is_own_storage<T>;
template <class T>
concept storage = is_block_storage<T>;

// Named arguments carry the types into the message.
template <class Value, class StoredValue>
struct storage_is_for_this_type {
  static_assert(std::is_same_v<Value, StoredValue>,
                "muster: this storage was declared for values of another type; declare one for the type of the call, block_storage<T, Dims>, or convert the value");
  static constexpr bool value = true;
};
template <class Dims, class StoredDims>
struct storage_is_for_this_block {
  static_assert(std::is_same_v<Dims, StoredDims>,
                "muster: this storage was declared for a block of another shape; declare block_storage<T, Dims> with the Dims that the kernel is launched with");
  static constexpr bool value = true;
};

template <class T, class Dims, class Storage>
struct storage_fits_call {
  static constexpr bool value = storage_is_for_this_type<T, typename Storage::value_type>::value && storage_is_for_this_block<plain_dims<Dims>, typename Storage::dims>::value;
};

// Copies of Count words between registers and shared memory, in the widest accesses that the alignment of Step words allows.
template <int Step>
struct alignas(4 * Step) word_chunk {
  std::uint32_t word[Step];
};
template <int Step, int Count>
MUSTER_FN void load_words(std::uint32_t (&to)[Count], std::uint32_t const* from) {
  static_assert(Count % Step == 0);
MUSTER_UNROLL
  for (int i = 0; i < Count; i += Step) {
    auto const chunk = *reinterpret_cast<word_chunk<Step> const*>(from + i);
MUSTER_UNROLL
    for (int j = 0; j < Step; ++j) to[i + j] = chunk.word[j];
  }
}

template <int Step, int Count>
MUSTER_FN void store_words(std::uint32_t* to, std::uint32_t const (&from)[Count]) {
  static_assert(Count % Step == 0);
MUSTER_UNROLL
  for (int i = 0; i < Count; i += Step) {
    word_chunk<Step> chunk;
MUSTER_UNROLL
    for (int j = 0; j < Step; ++j) chunk.word[j] = from[i + j];
    *reinterpret_cast<word_chunk<Step>*>(to + i) = chunk;
  }
}

// A value in shared memory.
template <class T>
MUSTER_FN void put(std::uint32_t* cell, T const& value) {
  store_words<words_together(words_of<T>)>(cell, backend::to_words(value).word);
}
template <class T>
MUSTER_FN T get(std::uint32_t const* cell, T const& like) {
  backend::words<sizeof(T)> w;
  load_words<words_together(words_of<T>)>(w.word, cell);
  return backend::from_words(w, like);
}

}  // namespace detail

MUSTER_END
