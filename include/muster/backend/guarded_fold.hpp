// shfl.sync and a fold in one statement: shfl's predicate guards the fold and never becomes a register. Device code only.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/fold_operation.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>

#if MUSTER_ON_DEVICE

namespace muster::backend {

// Parts of an instruction's name, put into asm statements by the constraint "C" (Inline PTX Assembly in CUDA, "Constraints").
template <shuffle_mode Mode>
struct ptx_mode;
template <>
struct ptx_mode<shuffle_mode::up> { static constexpr char text[] = "up"; };
template <>
struct ptx_mode<shuffle_mode::down> { static constexpr char text[] = "down"; };
template <>
struct ptx_mode<shuffle_mode::bfly> { static constexpr char text[] = "bfly"; };
template <>
struct ptx_mode<shuffle_mode::idx> { static constexpr char text[] = "idx"; };

template <fold_operation Operation>
struct ptx_fold;
template <>
struct ptx_fold<fold_operation::add> { static constexpr char text[] = "add"; };
template <>
struct ptx_fold<fold_operation::least> { static constexpr char text[] = "min"; };
template <>
struct ptx_fold<fold_operation::greatest> { static constexpr char text[] = "max"; };

template <bool Signed, int Bytes>
struct ptx_integer;
template <>
struct ptx_integer<true, 4> { static constexpr char text[] = "s32"; };
template <>
struct ptx_integer<false, 4> { static constexpr char text[] = "u32"; };
template <>
struct ptx_integer<true, 8> { static constexpr char text[] = "s64"; };
template <>
struct ptx_integer<false, 8> { static constexpr char text[] = "u64"; };

template <fold_operation Operation, class T>
inline constexpr bool has_guarded_fold =
    Operation != fold_operation::other && (std::is_same_v<T, float> || std::is_same_v<T, double> || (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)));

// value folded with what arrives in lanes whose source is in range, value in the others.
template <shuffle_mode Mode, fold_operation Operation, class T>
__device__ T guarded_fold(std::uint32_t membermask, T value, unsigned b, unsigned c, site) {
  using mode = ptx_mode<Mode>;
  using fold = ptx_fold<Operation>;
  if constexpr (std::is_same_v<T, float>) {
    asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.%4.b32 t|p, %0, %1, %2, %3; @p %5.f32 %0, t, %0; }"
                 : "+f"(value) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text));
  } else if constexpr (std::is_same_v<T, double>) {
    asm volatile("{ .reg .pred p; .reg .b32 l, h; .reg .f64 t; mov.b64 {l, h}, %0; shfl.sync.%4.b32 l, l, %1, %2, %3; shfl.sync.%4.b32 h|p, h, %1, %2, %3; "
                 "mov.b64 t, {l, h}; @p %5.f64 %0, t, %0; }"
                 : "+d"(value) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text));
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.%4.b32 t|p, %0, %1, %2, %3; @p %5.%6 %0, t, %0; }"
                 : "+r"(value) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(ptx_integer<std::is_signed_v<T>, 4>::text));
  } else {
    asm volatile("{ .reg .pred p; .reg .b32 l, h; .reg .b64 t; mov.b64 {l, h}, %0; shfl.sync.%4.b32 l, l, %1, %2, %3; shfl.sync.%4.b32 h|p, h, %1, %2, %3; "
                 "mov.b64 t, {l, h}; @p %5.%6 %0, t, %0; }"
                 : "+l"(value) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(ptx_integer<std::is_signed_v<T>, 8>::text));
  }
  return value;
}

}  // namespace muster::backend

#endif
