// A launch on the emulator.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/tile.hpp>
#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>
#include <muster/launch/early_start.hpp>
#include <muster/launch/kernel_checks.hpp>
#include <muster/launch/request.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace detail {

// The kernel call of one emulated thread, which gets arguments of its own as on a GPU.
template <class Kernel, class Dims, class... Args>
struct emulated_thread {
  static void enter(void* arguments) { unpack(static_cast<void* const*>(arguments), std::index_sequence_for<Args...>{}); }

 private:
  template <std::size_t... I>
  static void unpack(void* const* arguments, std::index_sequence<I...>) {
    call(*static_cast<Kernel const*>(arguments[0]), *static_cast<Args const*>(arguments[I + 1])...);
  }
  static void call(Kernel const& kernel, Args... args) {
    auto const block = mint::make<muster::block<Dims>>();
    if constexpr (shared_storage_of<Kernel>::present) {
      auto& shared = *static_cast<typename Kernel::shared*>(emulator::shared_memory());
      detail::begin_early(kernel, block, shared, static_cast<Args const&>(args)...);
      kernel(block, shared, static_cast<Args const&>(args)...);
    } else {
      detail::begin_early(kernel, block, static_cast<Args const&>(args)...);
      kernel(block, static_cast<Args const&>(args)...);
    }
  }
};

using emulated_entry = void (*)(void* arguments);
template <class Kernel, class Dims, class... Args>
emulated_entry plain_entry_for(emulator_target const&) {
  return &emulated_thread<Kernel, Dims, Args...>::enter;
}
template <class Kernel, class Dims, class... Args>
emulated_entry entry_for(emulator_target const&, launch_request const&) {
  return &emulated_thread<Kernel, Dims, Args...>::enter;
}

// One launch ends before the next one begins.
template <class Kernel, class Dims, class... Args>
bool can_start_early(emulator_target const&) {
  return false;
}

inline int current_device(emulator_target const&) { return 0; }

inline std::string why_no_clusters(emulator_target const&, launch_request const&, emulated_entry) { return {}; }

inline int most_blocks_at_once(emulator_target const&, launch_request const& asked, emulated_entry) {
  unsigned long long const blocks = emulator::most_blocks_at_once(asked.block);
  return static_cast<int>(asked.has_clusters() ? blocks / asked.cluster.volume() * asked.cluster.volume() : blocks);
}

inline void launch_on(emulator_target const& target, launch_request const& asked, emulated_entry entry, void** arguments) {
  check_shared_memory(asked, 227 * 1024, "the emulated GPU");  // what a block of compute capability 9.0 can have
  if (asked.is_cooperative) check_resident(asked, static_cast<unsigned long long>(most_blocks_at_once(target, asked, entry)), "the emulated GPU");
  emulator::run(target.options, asked.grid, asked.block, asked.shared_bytes, asked.dynamic_bytes, entry, arguments, {asked.cluster, asked.is_cooperative});
}

}  // namespace detail

MUSTER_END
