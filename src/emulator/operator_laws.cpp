// An operator of a kernel's own that is not what it says of itself, put into words; and what counts as the same result.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// A few units in the last place: of the larger, or of 1, as near zero an inner result of the size of 1 may have been rounded.
double allowance(double a, double b, int bytes) {
  double const unit = bytes >= 8 ? 0x1p-52 : bytes >= 4 ? 0x1p-23 : 0x1p-7;  // of two bytes that of bf16, the coarser
  return 8 * unit * std::max({std::abs(a), std::abs(b), 1.0});
}

// "lib::op" of "... [with Op = lib::op]".
std::string type_in(char const* text) {
  std::string const all = text;
  std::size_t const equals = all.find(" = ");
  if (equals == std::string::npos) return all;
  std::size_t const first = equals + 3, last = all.rfind(']');
  return all.substr(first, last == std::string::npos || last < first ? last : last - first);
}

std::string text_of(printed_value value, char const* otherwise) {
  if (value.kind == 'i') return std::to_string(value.whole);
  if (value.kind == 'u') return std::to_string(static_cast<unsigned long long>(value.whole));
  if (value.kind != 'f') return otherwise;
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value.floating);
  return text;
}

std::string reason_for(operator_law law, printed_value left, printed_value right, printed_value result, printed_value swapped) {
  bool const is_printed = result.kind != 0;
  auto const applied = [&](char const* first, char const* second) { return "op(" + text_of(left, first) + ", " + text_of(right, second) + ")"; };
  auto const changed = [&](char const* name, bool is_after) {
    return std::string(name) + "<T>()" + (is_printed ? " is " + text_of(is_after ? right : left, "") : std::string()) + ", and " +
           (is_after ? applied("v", name) : applied(name, "v")) + " is " + text_of(result, "another value than v") +
           ": it must leave every value as it is, on either side; a scan begins with it, and lanes without a value are folded with it";
  };
  switch (law) {
    case operator_law::identity: return changed("identity", false);
    case operator_law::identity_after: return changed("identity", true);
    case operator_law::neutral: return changed("neutral", false);
    case operator_law::neutral_after: return changed("neutral", true);
    case operator_law::commutative: break;
  }
  std::string const other = "op(" + text_of(right, "b") + ", " + text_of(left, "a") + ")";
  return "is_commutative is true, and " + applied("a", "b") + (is_printed ? " is " + text_of(result, "") + ", " + other + " is " + text_of(swapped, "") : " is not " + other) +
         " for values of this fold, which may then be folded in any order: say is_commutative = false, or mend the operator";
}

// Whether all words of this type that differ look like numbers a little apart. Small integers look like no normal numbers.
template <class Number, class Bits>
bool differ_by_rounding(unsigned char const* a, unsigned char const* b, std::size_t bytes, int exponent_at, int exponent_bits) {
  static_assert(sizeof(Number) == sizeof(Bits));
  if (bytes % sizeof(Bits) != 0) return false;
  for (std::size_t at = 0; at < bytes; at += sizeof(Bits)) {
    Bits x, y;
    std::memcpy(&x, a + at, sizeof x);
    std::memcpy(&y, b + at, sizeof y);
    if (x == y) continue;
    auto const is_normal_or_zero = [&](Bits bits) {
      auto const largest = (Bits{1} << exponent_bits) - 1;
      auto const exponent = bits >> exponent_at & largest;
      return (exponent != 0 && exponent != largest) || (bits & ((Bits{1} << (exponent_at + exponent_bits)) - 1)) == 0;
    };
    if (!is_normal_or_zero(x) || !is_normal_or_zero(y)) return false;
    if constexpr (std::is_floating_point_v<Number>) {
      Number p, q;
      std::memcpy(&p, &x, sizeof p);
      std::memcpy(&q, &y, sizeof q);
      // Wider than for a number alone: what a formula adds up on the way is not known.
      if (std::abs(static_cast<double>(p) - static_cast<double>(q)) > 0x1p-10 * std::max({std::abs(static_cast<double>(p)), std::abs(static_cast<double>(q)), 1.0})) return false;
    } else {
      if (std::max(x, y) - std::min(x, y) > 16) return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace detail

bool numbers_differ(double a, double b, int bytes) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return false;
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  return std::abs(a - b) > detail::allowance(a, b, bytes);
}

bool may_be_rounding(void const* a, void const* b, std::size_t bytes, std::size_t alignment) {
  auto const* const x = static_cast<unsigned char const*>(a);
  auto const* const y = static_cast<unsigned char const*>(b);
  if (alignment >= 8 && detail::differ_by_rounding<double, std::uint64_t>(x, y, bytes, 52, 11)) return true;
  if (alignment >= 4) return detail::differ_by_rounding<float, std::uint32_t>(x, y, bytes, 23, 8);
  return alignment == 2 && detail::differ_by_rounding<std::uint16_t, std::uint16_t>(x, y, bytes, 10, 5);
}

void report_operator(operator_law law, char const* type, printed_value left, printed_value right, printed_value result, printed_value swapped, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::report what;
  what.kind = finding_kind::operator_not_as_stated;
  what.where = where;
  what.call = "fold with " + detail::type_in(type);
  what.lanes = what.wrong = self->bit;
  what.reason = detail::reason_for(law, left, right, result, swapped);
  detail::add(*block, *self->home, what);
  if (block->aborting) block->leave_aborted(*self);
}

}  // namespace muster::emulator
