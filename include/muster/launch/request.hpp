// What is asked of a machine by a launch, and the checks that hold for every machine.
#pragma once

#include <cstddef>
#include <string>

#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/launch_limits.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace detail {

// A launch without its types, so that what follows is compiled once and not for every kernel.
struct launch_request {
  extent grid;
  extent block;
  std::size_t shared_bytes;   // the kernel's own
  std::size_t dynamic_bytes;
  extent cluster{0, 0, 0};  // as in no_cluster: there are none
  bool is_cooperative = false;
  bool starts_early = false;  // while the kernel before it in the stream still runs

  bool has_clusters() const { return cluster.volume() != 0; }
};

inline std::string text_of(extent e) { return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z); }

// Checks what holds for every machine; throws with the reason.
inline void check_shape(launch_request const& asked) {
  auto const refuse = [](char const* trouble, extent e, char const* unit) {
    if (trouble == nullptr) return;
    throw launch_error(std::string("muster::launch: ") + trouble + ", asked for " + text_of(e) + unit);
  };
  refuse(trouble_with_grid(asked.grid), asked.grid, " blocks");
  refuse(trouble_with_block(asked.block), asked.block, " threads");
  if (!asked.has_clusters()) return;
  refuse(trouble_with_grid_of_clusters(asked.grid, asked.cluster), asked.grid, (" blocks in clusters of " + text_of(asked.cluster)).c_str());
}

inline void check_resident(launch_request const& asked, unsigned long long most, char const* machine) {
  if (asked.grid.volume() <= most) return;
  throw launch_error("muster::launch: a cooperative grid's blocks all run at once, and " + std::string(machine) + " holds at most " + std::to_string(most) + " of " +
                     text_of(asked.block) + " threads, asked for " + std::to_string(asked.grid.volume()) + "; max_cooperative_blocks says how many before the launch");
}

inline void check_shared_memory(launch_request const& asked, std::size_t limit, char const* machine) {
  if (asked.dynamic_bytes > limit || asked.shared_bytes > limit - asked.dynamic_bytes)  // their sum can wrap around
    throw launch_error("muster::launch: the block asks for " + std::to_string(asked.shared_bytes) + " bytes of shared memory and " + std::to_string(asked.dynamic_bytes) +
                       " of dynamic shared memory; " + machine + " gives at most " + std::to_string(limit));
}

}  // namespace detail

MUSTER_END
