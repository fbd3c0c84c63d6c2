// Whether all threads of a block or cluster have the same result of a fold that its type says they share.
#include <cstddef>
#include <cstdint>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "meeting.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// FNV-1a.
std::uint64_t digest_of(void const* value, std::size_t bytes) {
  auto const* const at = static_cast<unsigned char const*>(value);
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < bytes; ++i) digest = (digest ^ at[i]) * 0x100000001b3u;
  return digest;
}

// A thread's n-th fold is the n-th of all others, and nobody waits: the fold itself has held back whoever is further.
void compare(machine& block, lane& self, shared_result (&results)[2], std::uint64_t number, std::uint64_t digest, char const* group, site where) {
  shared_result& first = results[number % 2];
  if (first.number != number) {
    first = {number, digest, self.thread, block.block_index};
  } else if (first.digest != digest) {
    report_results_differ(block, self, first, group, where);
    if (block.aborting) block.leave_aborted(self);
  }
}

}  // namespace
}  // namespace detail

void check_same_in_block(void const* value, std::size_t bytes, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::compare(*block, *self, block->results, ++self->details->results, detail::digest_of(value, bytes), "block", where);
}

void check_same_in_cluster(void const* value, std::size_t bytes, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::meeting* const met = block->meets[static_cast<int>(block_company::cluster)];
  if (met == nullptr) fail("the blocks of this launch are in no clusters", where);
  detail::compare(*block, *self, met->results, ++self->details->results_of_cluster, detail::digest_of(value, bytes), "cluster", where);
}

}  // namespace muster::emulator
