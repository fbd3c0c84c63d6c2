// The name of a type in a text of the compiler's.
#pragma once

#include <cstddef>
#include <string_view>

namespace muster::emulator::detail {

// "lib::op" of "... [with Op = lib::op]". For signal handlers too: it allocates nothing.
inline std::string_view type_in(std::string_view text) {
  std::size_t const equals = text.find(" = ");
  if (equals == std::string_view::npos) return text;
  std::size_t const first = equals + 3, last = text.rfind(']');
  return text.substr(first, last == std::string_view::npos || last < first ? last : last - first);
}

}  // namespace muster::emulator::detail
