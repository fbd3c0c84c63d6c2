// The folds that an instruction of the machine does on 32- and 64-bit numbers, so that a predicate can guard it.
#pragma once

#include <cstdint>

namespace muster {

enum class fold_operation : std::uint8_t { other, add, least, greatest };

}  // namespace muster
