// Blocks that run at once, from their start to the end of the last one.
#include "company.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "diagnosis.hpp"
#include "diagnosis_of_meetings.hpp"
#include "random_numbers.hpp"

namespace muster::emulator::detail {
namespace {

constexpr std::uint64_t company_stream = 3;  // beside those of a block (machine.cpp)

extent place_in(std::uint64_t number, extent shape) {
  return {static_cast<unsigned>(number % shape.x), static_cast<unsigned>(number / shape.x % shape.y),
          static_cast<unsigned>(number / shape.x / shape.y)};
}

bool has_clusters(launch const& job) { return job.together.cluster.volume() != 0; }

// A meeting of machines[first] to machines[first + count - 1].
meeting meeting_of(block_company which, std::vector<machine*> const& machines, std::size_t first, std::size_t count,
                   std::uint64_t threads) {
  meeting met;
  met.which = which;
  met.blocks.assign(machines.begin() + static_cast<std::ptrdiff_t>(first), machines.begin() + static_cast<std::ptrdiff_t>(first + count));
  met.lanes = met.live = threads * count;
  return met;
}

// Lets a block go on until no lane of it can, or all have yielded for a while; returns how often they have, 0 if one got on.
std::uint64_t yields_of_turn(machine& block) {
  std::uint64_t const before = block.idle_yields;
  block.resume();
  block.stands_back = block.can_run();
  return block.stands_back && before != 0 && block.idle_yields > before ? block.idle_yields - before : 0;
}

// The first or last of those that can run; blocks that only wait for others stand back until all do.
machine& next_in_order(std::vector<machine*> const& able, bool ascending) {
  auto const is_before = [](machine const* each) { return !each->stands_back; };
  if (std::none_of(able.begin(), able.end(), is_before))
    for (machine* const each : able) each->stands_back = false;
  return ascending ? **std::find_if(able.begin(), able.end(), is_before) : **std::find_if(able.rbegin(), able.rend(), is_before);
}

// Nobody can run or get on, and some have not ended.
void diagnose_company(std::vector<machine*> const& machines, std::vector<meeting> const& meetings) {
  for (machine* const each : machines) diagnose_standstill(*each);
  for (meeting const& each : meetings) diagnose_meeting(each);
  machines.front()->abort_block();
}

}  // namespace

companies::companies(launch const& job) : grid_(job.grid), cluster_(has_clusters(job) ? job.together.cluster : extent{}) {
  clusters_ = {grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z};
  blocks_of_one_ = job.together.is_cooperative ? grid_.volume() : cluster_.volume();
  count_ = grid_.volume() / blocks_of_one_;
}

std::uint64_t companies::block_number(std::uint64_t company, std::uint64_t index) const {
  std::uint64_t const number = company * blocks_of_one_ + index;
  extent const at = place_in(number / cluster_.volume(), clusters_), within = place_in(number % cluster_.volume(), cluster_);
  extent const block{at.x * cluster_.x + within.x, at.y * cluster_.y + within.y, at.z * cluster_.z + within.z};
  return block.x + std::uint64_t{grid_.x} * (block.y + std::uint64_t{grid_.y} * block.z);
}

void run_company(launch const& job, companies const& cut, std::uint64_t company, std::vector<machine*> const& machines) {
  std::size_t const blocks = machines.size(), of_cluster = has_clusters(job) ? static_cast<std::size_t>(job.together.cluster.volume()) : 0;
  std::vector<meeting> meetings;
  for (std::size_t first = 0; of_cluster != 0 && first < blocks; first += of_cluster)
    meetings.push_back(meeting_of(block_company::cluster, machines, first, of_cluster, job.block.volume()));
  if (job.together.is_cooperative) meetings.push_back(meeting_of(block_company::grid, machines, 0, blocks, job.block.volume()));

  for (std::size_t i = 0; i < blocks; ++i) {
    meeting* const cluster = of_cluster == 0 ? nullptr : &meetings[i / of_cluster];
    meeting* const grid = job.together.is_cooperative ? &meetings.back() : nullptr;
    machines[i]->begin_block(job, cut.block_number(company, i), machines, cluster,
                             of_cluster == 0 ? 0 : static_cast<unsigned>(i % of_cluster), grid);
  }

  random_numbers order(job.settings.seed, cut.block_number(company, 0) * 4 + company_stream);
  std::vector<machine*> able;
  std::uint64_t idle = 0;  // yields since any block got on
  idle_watch& watch = *machines.front()->watch;
  for (;;) {
    able.clear();
    std::copy_if(machines.begin(), machines.end(), std::back_inserter(able), [](machine const* each) { return each->can_run(); });
    if (able.empty() || (idle != 0 && watch.is_over(idle / able.size()))) break;
    auto const run = [&](machine& block) {
      std::uint64_t const yields = yields_of_turn(block);
      idle = yields == 0 ? 0 : idle + yields;
    };
    switch (job.settings.order) {
      case schedule::ascending: run(next_in_order(able, true)); break;
      case schedule::descending: run(next_in_order(able, false)); break;
      case schedule::random: run(*able[order.next() % able.size()]); break;
      case schedule::lockstep:
        for (machine* const each : able)
          if (each->can_run()) run(*each);
        break;
    }
  }
  bool const all_ended = std::all_of(machines.begin(), machines.end(), [](machine const* each) { return each->live_count == 0; });
  if (!all_ended && !machines.front()->aborting) diagnose_company(machines, meetings);
  for (machine* const each : machines) each->end_block();
}

}  // namespace muster::emulator::detail
