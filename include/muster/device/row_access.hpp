// The two ways in which the lanes that share a row hold it: what the kernels are instantiated with.
#pragma once

#include <muster/config.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/lane_row.hpp>

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

template <class Accesses>
inline constexpr bool is_vectors = false;
template <>
inline constexpr bool is_vectors<whole_accesses<vector_bytes>> = true;
template <>
inline constexpr bool is_vectors<covering_vectors> = true;

}  // namespace device::detail

MUSTER_END
