// Which blocks run at once and can wait for each other.
#pragma once

#include <cstdint>

namespace muster {

enum class block_company : std::uint8_t { cluster, grid };

}  // namespace muster
