// The ways in which the lanes that share a row hold it: what the kernels are instantiated with.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/dense_row.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/shifted_row.hpp>
#include <muster/device/staged_row.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

// Whole accesses of Bytes bytes.
template <int Bytes>
struct whole_accesses {
  template <class T, int Lanes, int Slots, int InShared = 0, int Threads = 1>
  using row = lane_row<T, Lanes, Slots, Bytes / static_cast<int>(sizeof(T)), InShared, Threads>;
};
// The aligned vectors that cover a row.
struct covering_vectors {
  template <class T, int Lanes, int Slots, int InShared = 0, int Threads = 1>
  using row = covering_row<T, Lanes, Slots, InShared, Threads>;
};
// The aligned vectors within a row, and the values at its edges one by one. The vectors begin at a line where there are lanes enough for the edges, or else at a sector:
// warps that store neighbouring vectors then share neither.
struct edged_vectors {
  template <class T, int Lanes, int Slots, int InShared = 0, int Threads = 1>
  using row = lane_row<T, Lanes, Slots, vector_size<T>, InShared, Threads, (Lanes > warp_size * 2 ? line_bytes : sector_bytes)>;
};

// Vectors that are shifted into place; every row is as many of them as it has lanes.
struct shifted_vectors {
  template <class T, int, int>
  using row = shifted_row<T>;
};
// Values one by one, of rows that a warp has put into shared memory.
struct staged_values {
  template <class T, int Lanes, int Slots>
  using row = staged_row<T, Lanes, Slots>;
};

// Words of rows that a warp has put into shared memory, each access Words of them, and at least Fewest in a row.
template <int Words, int Fewest>
struct dense_words {
  template <class T, int Lanes, int Slots>
  using row = dense_row<T, Lanes, Slots, Words, Fewest>;
};

template <class Accesses>
inline constexpr bool is_dense_words = false;
template <int Words, int Fewest>
inline constexpr bool is_dense_words<dense_words<Words, Fewest>> = true;

template <class Accesses>
inline constexpr bool is_vectors = false;
template <>
inline constexpr bool is_vectors<whole_accesses<vector_bytes>> = true;
template <>
inline constexpr bool is_vectors<covering_vectors> = true;
template <>
inline constexpr bool is_vectors<edged_vectors> = true;

}  // namespace device::detail

MUSTER_END
