// What redux.sync can compute on 32-bit integers (PTX ISA, "redux.sync").
#pragma once

#include <cstdint>

namespace muster {

enum class redux_operation : std::uint8_t { add, min_s32, max_s32, min_u32, max_u32, bit_and, bit_or, bit_xor };

}  // namespace muster
