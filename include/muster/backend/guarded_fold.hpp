// shfl.sync and a fold in one statement: shfl's predicate guards the fold and never becomes a register. Device code only.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/takes_part.hpp>
#include <muster/config.hpp>
#include <muster/core/fold_operation.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>

#if MUSTER_ON_DEVICE

namespace muster::backend {
inline namespace MUSTER_ABI {

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

// The name that PTX gives a number type of 32 or 64 bits. half.hpp adds the packed pair that add, min and max take.
template <class T>
struct ptx_number { static constexpr char text[] = ""; };
template <>
struct ptx_number<float> { static constexpr char text[] = "f32"; };
template <>
struct ptx_number<double> { static constexpr char text[] = "f64"; };
template <class T>
  requires(std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 4)
struct ptx_number<T> { static constexpr char text[] = "s32"; };
template <class T>
  requires(std::is_integral_v<T> && !std::is_signed_v<T> && sizeof(T) == 4)
struct ptx_number<T> { static constexpr char text[] = "u32"; };
template <class T>
  requires(std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 8)
struct ptx_number<T> { static constexpr char text[] = "s64"; };
template <class T>
  requires(std::is_integral_v<T> && !std::is_signed_v<T> && sizeof(T) == 8)
struct ptx_number<T> { static constexpr char text[] = "u64"; };

// What makes the instruction that follows conditional on p. ptxas 13.0 turns a predicated add.f16x2 into an add and a move, but a jump over one into a predicated HADD2.
template <class T>
struct ptx_condition { static constexpr char begin[] = "@p ", end[] = " "; };
struct ptx_jump { static constexpr char begin[] = "@!p bra done; ", end[] = "done: "; };

template <fold_operation Operation, class T>
inline constexpr bool has_guarded_fold = Operation != fold_operation::other && sizeof(ptx_number<T>::text) > 1;

// value folded with what arrives, in lanes that take it; value in the others. LaneBits: who takes it, known beforehand: lanes whose number has one of these bits;
// 0: lanes whose source shfl calls in range. shfl's own predicate arrives six cycles after its value (H200), so lane bits are the faster guard where they can say it.
template <shuffle_mode Mode, fold_operation Operation, unsigned LaneBits, class T>
__device__ T guarded_fold(std::uint32_t membermask, T value, unsigned b, unsigned c, [[maybe_unused]] int lane, site where) {
  if (!takes_part(membermask, where)) return value;
  using mode = ptx_mode<Mode>;
  using fold = ptx_fold<Operation>;
  using number = ptx_number<T>;
  using condition = ptx_condition<T>;
  if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, static_cast<void const*>(&value), 4);
    if constexpr (LaneBits != 0) {
      asm volatile("{ .reg .pred p, none; .reg .b32 t, u; mov.pred none, 0; lop3.or.b32 u|p, %7, %8, 0, 0xC0, none; "
                   "shfl.sync.%4.b32 t, %0, %1, %2, %3; %9 %5.%6 %0, t, %0; %10 }"
                   : "+r"(bits) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(number::text), "r"(lane), "n"(LaneBits),
                     "C"(condition::begin), "C"(condition::end));
    } else {
      asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.%4.b32 t|p, %0, %1, %2, %3; @p %5.%6 %0, t, %0; }"
                   : "+r"(bits) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(number::text));
    }
    __builtin_memcpy(static_cast<void*>(&value), &bits, 4);
  } else {
    std::uint64_t bits;
    __builtin_memcpy(&bits, static_cast<void const*>(&value), 8);
    if constexpr (LaneBits != 0) {
      asm volatile("{ .reg .pred p, none; .reg .b32 l, h, u; .reg .b64 t; mov.pred none, 0; lop3.or.b32 u|p, %7, %8, 0, 0xC0, none; mov.b64 {l, h}, %0; "
                   "shfl.sync.%4.b32 l, l, %1, %2, %3; shfl.sync.%4.b32 h, h, %1, %2, %3; mov.b64 t, {l, h}; @p %5.%6 %0, t, %0; }"
                   : "+l"(bits) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(number::text), "r"(lane), "n"(LaneBits));
    } else {
      asm volatile("{ .reg .pred p; .reg .b32 l, h; .reg .b64 t; mov.b64 {l, h}, %0; shfl.sync.%4.b32 l, l, %1, %2, %3; shfl.sync.%4.b32 h|p, h, %1, %2, %3; "
                   "mov.b64 t, {l, h}; @p %5.%6 %0, t, %0; }"
                   : "+l"(bits) : "r"(b), "r"(c), "r"(membermask), "C"(mode::text), "C"(fold::text), "C"(number::text));
    }
    __builtin_memcpy(static_cast<void*>(&value), &bits, 8);
  }
  return value;
}

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend

#endif
