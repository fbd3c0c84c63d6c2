// An operator of a kernel's own that is not what it says of itself, put into words; and what counts as the same result.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "machine.hpp"
#include "report.hpp"
#include "type_text.hpp"

namespace muster::emulator {
namespace detail {
namespace {

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

// Four objects of one type, two results and what they were made of, by their bytes.
class four_objects {
 public:
  four_objects(void const* first, std::size_t bytes) : first_(static_cast<unsigned char const*>(first)), bytes_(bytes) {}
  template <class Word>
  std::array<Word, 4> words_at(std::size_t byte) const {
    std::array<Word, 4> result;
    for (std::size_t i = 0; i < 4; ++i) std::memcpy(&result[i], first_ + i * bytes_ + byte, sizeof(Word));
    return result;
  }

 private:
  unsigned char const* first_;
  std::size_t bytes_;
};

// Numbers of one type among the objects: what would have to be their rounding, and how large they are.
template <class Number>
class roundings {
 public:
  // False where they do not look like numbers of this type: small integers do not look like normal ones.
  bool take(std::array<Number, 4> const& at) {
    for (Number const v : at)
      if (v != 0 && !std::isnormal(v)) return false;
    difference_ = std::max(difference_, std::abs(static_cast<double>(at[0]) - static_cast<double>(at[1])));
    for (std::size_t i = 0; i < 4; ++i) {
      double& largest = i < 2 ? result_ : i == 2 ? x_ : y_;
      largest = std::max(largest, std::abs(static_cast<double>(at[i])));
    }
    return true;
  }
  // What a formula adds up, multiplies and takes away again on its way is not known.
  bool are_small() const { return difference_ <= 0x1p-10 * std::max({1.0, result_, x_, y_, x_ * y_}); }

 private:
  double difference_ = 0, result_ = 0, x_ = 0, y_ = 0;
};

// 16-bit numbers of any kind may lie in whole words: those that differ are a few steps apart.
bool are_few_steps_apart(std::uint16_t a, std::uint16_t b) {
  auto const is_normal_or_zero = [](unsigned bits) { return ((bits >> 10 & 31u) != 0 && (bits >> 10 & 31u) != 31) || (bits & 0x7fffu) == 0; };
  return a == b || (is_normal_or_zero(a) && is_normal_or_zero(b) && std::max(a, b) - std::min(a, b) <= 16);
}

}  // namespace
}  // namespace detail

// A few units in the last place: of the largest number there was, or of 1, as near zero an inner result of the size of 1 may have been rounded.
bool numbers_differ(double a, double b, double x, double y, int bytes) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return false;
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  double const unit = bytes >= 8 ? 0x1p-52 : bytes >= 4 ? 0x1p-23 : 0x1p-7;  // of two bytes that of bf16, the coarser
  double largest = std::max({std::abs(a), std::abs(b), 1.0});
  for (double const operand : {x, y})
    if (std::isfinite(operand)) largest = std::max(largest, std::abs(operand));
  return std::abs(a - b) > 8 * unit * largest;
}

bool may_be_rounding(void const* objects, std::size_t bytes, std::size_t alignment, bool is_whole) {
  detail::four_objects const all(objects, bytes);
  if (alignment < 4 && !is_whole) return true;  // it holds numbers, at places that the alignment does not tell
  if (is_whole) {
    if (bytes % 2 != 0) return false;
    for (std::size_t at = 0; at < bytes; at += 2) {
      auto const words = all.words_at<std::uint16_t>(at);
      if (!detail::are_few_steps_apart(words[0], words[1])) return false;
    }
    return true;
  }
  detail::roundings<double> doubles;
  detail::roundings<float> floats;
  for (std::size_t at = 0; at < bytes; at += 4) {
    if (alignment >= 8 && at % 8 == 0 && doubles.take(all.words_at<double>(at))) {
      at += 4;
      continue;
    }
    auto const words = all.words_at<std::uint32_t>(at);
    if (!floats.take(all.words_at<float>(at)) && words[0] != words[1]) return false;
  }
  return doubles.are_small() && floats.are_small();
}

operator_trial::operator_trial(operator_law law, char const* type) { detail::current_lane().self->details->trial = {type, law}; }
operator_trial::~operator_trial() { detail::running.self->details->trial = {}; }

void report_operator(operator_law law, char const* type, printed_value left, printed_value right, printed_value result, printed_value swapped, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::report what;
  what.kind = finding_kind::operator_not_as_stated;
  what.where = where;
  what.call = "fold with " + std::string(detail::type_in(type));
  what.lanes = what.wrong = self->bit;
  what.reason = detail::reason_for(law, left, right, result, swapped);
  detail::add(*block, *self->home, what);
  if (block->aborting) block->leave_aborted(*self);
}

}  // namespace muster::emulator
