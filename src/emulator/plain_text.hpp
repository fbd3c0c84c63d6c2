// Text that a signal handler can make and write, which may neither allocate nor print by stdio: it grows in a buffer of its own, and what does not fit is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unistd.h>

#include <muster/core/extent.hpp>

namespace muster::emulator::detail {

class plain_text {
 public:
  plain_text& operator<<(char const* text) {
    for (; *text != 0 && length_ < sizeof text_; ++text) text_[length_++] = *text;
    return *this;
  }
  // No more than half of what there is room for, so that what follows is not left out.
  plain_text& add(std::string_view text) {
    for (std::size_t i = 0; i < text.size() && i < sizeof text_ / 2 && length_ < sizeof text_; ++i) text_[length_++] = text[i];
    return *this;
  }
  plain_text& operator<<(std::size_t number) {
    char digits[24];
    int first = sizeof digits - 1;
    digits[first] = 0;
    do digits[--first] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << digits + first;
  }
  plain_text& in_hexadecimal(std::uintptr_t number) {
    *this << "0x";
    int digit = 2 * sizeof number - 1;
    while (digit > 0 && number >> (4 * digit) == 0) --digit;
    for (; digit >= 0 && length_ < sizeof text_; --digit) text_[length_++] = "0123456789abcdef"[number >> (4 * digit) & 15u];
    return *this;
  }
  plain_text& operator<<(extent place) { return *this << "(" << std::size_t{place.x} << "," << std::size_t{place.y} << "," << std::size_t{place.z} << ")"; }
  void write_to(int file) const {
    for (std::size_t done = 0; done < length_;) {
      ssize_t const more = write(file, text_ + done, length_ - done);
      if (more <= 0) return;
      done += static_cast<std::size_t>(more);
    }
  }

 private:
  char text_[3072];
  std::size_t length_ = 0;
};

}  // namespace muster::emulator::detail
