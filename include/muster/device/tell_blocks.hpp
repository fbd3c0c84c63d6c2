// Telling each block of a cluster a part of a row's sum.
#pragma once

#include <cstdint>

#include <muster/backend/blocks.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/site.hpp>
#include <muster/device/numbers.hpp>

MUSTER_BEGIN

namespace device::detail {

// Lane i of the caller's warp sends the part to block i, to the place that `place` is in the caller's own block, where `arrived` counts its bytes.
template <int Blocks, class A>
MUSTER_FN void tell_blocks(int lane, part_of_sum<A>* place, std::uint64_t* arrived, part_of_sum<A> const& part) {
  auto const words = backend::to_words(part);
  auto* const cell = reinterpret_cast<std::uint32_t*>(place);
  if (lane < Blocks) backend::send_to_block(cell, arrived, static_cast<unsigned>(lane), words.word, site::here());
}

}  // namespace device::detail

MUSTER_END
