// Blocks that run at once, on one OS thread: each goes on until no lane of it can, then another one does, in an order drawn from the
// launch's seed.
#pragma once

#include <cstdint>
#include <vector>

#include "machine.hpp"
#include "meeting.hpp"

namespace muster::emulator::detail {

// How a launch's blocks are cut into companies, the largest sets that run at once: single blocks, clusters, or the whole grid.
class companies {
 public:
  explicit companies(launch const& job);
  std::uint64_t count() const { return count_; }
  std::uint64_t blocks_of_one() const { return blocks_of_one_; }
  // The linear number in the grid of block `index` of a company: cluster after cluster.
  std::uint64_t block_number(std::uint64_t company, std::uint64_t index) const;

 private:
  extent grid_, cluster_, clusters_;
  std::uint64_t blocks_of_one_, count_;
};

// Runs one company to its end; machines[i] then has what went wrong in block i.
void run_company(launch const& job, companies const& cut, std::uint64_t company, std::vector<machine*> const& machines);

}  // namespace muster::emulator::detail
