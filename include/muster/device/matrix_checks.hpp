// What rows are refused, and why: sizes, addresses and overlaps that cannot be.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace device::detail {

template <class T>
struct row_type {
  static_assert(sizeof(T) == 8 || sizeof(T) == 4 || sizeof(T) == 2, "muster::device::softmax: rows of float, double, __half or __nv_bfloat16");
  static_assert(numeric<T>::is_floating && !std::is_same_v<T, long double>,
                "muster::device::softmax: floating-point rows; for __half and __nv_bfloat16 include <muster/half.hpp>");
  static constexpr bool value = true;
};

inline void refuse(char const* what, std::string const& reason) { throw launch_error(std::string(what) + ": " + reason); }

// Throws with the reason where a matrix cannot be what it is said to be.
template <class T>
void check_matrix(char const* what, char const* which, matrix<T> const& m) {
  std::string const name = which;
  if (m.rows < 0 || m.columns < 0) refuse(what, "a matrix has no negative size: " + std::to_string(m.rows) + " x " + std::to_string(m.columns));
  if (m.stride < m.columns)
    refuse(what, "the " + name + "'s rows overlap: stride " + std::to_string(m.stride) + " is below the " + std::to_string(m.columns) + " columns");
  if (m.rows == 0 || m.columns == 0) return;
  long long const most = 0x7fffffffffffffff / static_cast<long long>(sizeof(T));
  if (m.columns > most || (m.rows > 1 && m.stride > (most - m.columns) / (m.rows - 1)))
    refuse(what, "the " + name + " has more bytes than an address can count: " + std::to_string(m.rows) + " rows of stride " + std::to_string(m.stride));
  if (m.data == nullptr) refuse(what, "the " + name + " is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(m.data) % sizeof(T) != 0)
    refuse(what, "the " + name + "'s address is no multiple of its type's " + std::to_string(sizeof(T)) + " bytes");
}

// Two matrices may share memory if they are the same one, or if no row of one touches a row of the other.
template <class In, class Out>
void check_overlap(char const* what, matrix<In const> const& in, matrix<Out> const& out) {
  using address = std::uintptr_t;
  auto const begin_of = [](auto const& m) { return reinterpret_cast<address>(m.data); };
  auto const bytes_of = [](auto const& m) { return static_cast<address>((m.rows - 1) * m.stride + m.columns) * sizeof(*m.data); };
  address const a = begin_of(in), b = begin_of(out);
  if (a + bytes_of(in) <= b || b + bytes_of(out) <= a) return;
  address const in_stride = static_cast<address>(in.stride) * sizeof(In), out_stride = static_cast<address>(out.stride) * sizeof(Out);
  if (a == b && sizeof(In) == sizeof(Out) && in.columns == out.columns && (in.rows == 1 || in_stride == out_stride)) return;
  if (in_stride == out_stride) {  // side by side: how far into the input's row, or the gap behind it, the output's begins
    address const offset = b >= a ? (b - a) % in_stride : (in_stride - (a - b) % in_stride) % in_stride;
    if (offset >= static_cast<address>(in.columns) * sizeof(In) && offset + static_cast<address>(out.columns) * sizeof(Out) <= in_stride) return;
  }
  refuse(what, "input and output overlap; they may be the same rows of the same type size, or lie apart");
}

}  // namespace device::detail

MUSTER_END
