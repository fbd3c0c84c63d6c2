// Launching a kernel on a GPU or on the emulator: one call, one kernel source.
//
// A kernel is a struct at namespace scope:
//
//   struct row_sum {
//     struct shared { float partial[8]; };                       // optional: block-shared storage, placed by the launch
//     MUSTER_FN void operator()(auto block, shared& s, float const* in, float* out) const;
//   };
//
// Its arguments travel by value and are trivially copyable. Errors come back as exceptions with the reason; a launch does not wait for the kernel.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/launch_limits.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/core/with.hpp>
#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

// How many blocks.
struct grid_dims {
  unsigned x = 1, y = 1, z = 1;
  constexpr explicit grid_dims(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr extent shape() const { return {x, y, z}; }
};

// Bytes of dynamic shared memory, which dynamic_shared<T>(block) gives to the kernel.
struct dynamic_shared_size {
  std::size_t bytes = 0;
};

namespace detail {

template <class Kernel, class = void>
struct shared_of {
  static constexpr bool present = false;
  static constexpr std::size_t bytes = 0;
};
template <class Kernel>
struct shared_of<Kernel, std::void_t<typename Kernel::shared>> {
  using type = typename Kernel::shared;
  static_assert(std::is_trivially_default_constructible_v<type> && std::is_trivially_destructible_v<type>,
                "muster::launch: the kernel's 'shared' is raw storage that no thread constructs; its members need trivial constructors and no default values");
  static_assert(sizeof(type) <= most_static_shared_bytes,
                "muster::launch: the kernel's 'shared' is larger than 48 KiB, the most that a GPU takes; give the rest as dynamic_shared_size and use dynamic_shared<T>(block)");
  static constexpr bool present = true;
  static constexpr std::size_t bytes = sizeof(type);
};

template <class Kernel>
struct kernel_can_be_copied {
  static_assert(std::is_trivially_copyable_v<Kernel>, "muster::launch: the kernel object goes to the GPU byte by byte; it must be trivially copyable");
  static constexpr bool value = true;
};

template <class Arg>
struct kernel_argument {
  static_assert(!leads_to_token<Arg>, "muster::launch: a token is not a kernel argument; the kernel gets its block token from the launch and makes the others from it");
  static_assert(leads_to_token<Arg> || is_bytewise_copyable<Arg>, "muster::launch: kernel arguments go to the GPU byte by byte; pass trivially copyable values, such as buffer.data()");
  static constexpr bool value = true;
};

template <class T>
struct grid_shape_is_dims {
  static_assert(std::is_same_v<T, grid_dims>, "muster::launch: the grid's shape is grid_dims(x, y, z), so that it cannot be taken for the block's");
  static constexpr bool value = true;
};

template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_is_callable = std::is_invocable_v<Kernel const&, muster::block<Dims> const&, Args&...>;
template <class Kernel, class Dims, class... Args>
  requires(shared_of<Kernel>::present)
inline constexpr bool kernel_is_callable<Kernel, Dims, Args...> =
    std::is_invocable_v<Kernel const&, muster::block<Dims> const&, typename Kernel::shared&, Args&...>;

template <class Kernel, class Dims, class... Args>
struct kernel_takes_arguments {
  static_assert(kernel_is_callable<Kernel, Dims, Args...>,
                "muster::launch: the kernel cannot be called with these arguments; it needs operator()(auto block, [shared& s,] args...) const, and the launch gives args...");
  static constexpr bool value = true;
};

// A launch without its types, so that what follows is compiled once and not for every kernel.
struct launch_request {
  extent grid;
  extent block;
  std::size_t shared_bytes;   // the kernel's own
  std::size_t dynamic_bytes;
};

// Checks what holds for every machine; throws with the reason.
inline void check_shape(launch_request const& asked) {
  auto const refuse = [](char const* trouble, extent e, char const* unit) {
    if (trouble == nullptr) return;
    throw launch_error(std::string("muster::launch: ") + trouble + ", asked for " + std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z) + unit);
  };
  refuse(trouble_with_grid(asked.grid), asked.grid, " blocks");
  refuse(trouble_with_block(asked.block), asked.block, " threads");
}

inline void check_shared_memory(launch_request const& asked, std::size_t limit, char const* machine) {
  if (asked.dynamic_bytes > limit || asked.shared_bytes > limit - asked.dynamic_bytes)  // their sum can wrap around
    throw launch_error("muster::launch: the block asks for " + std::to_string(asked.shared_bytes) + " bytes of shared memory and " + std::to_string(asked.dynamic_bytes) +
                       " of dynamic shared memory; " + machine + " gives at most " + std::to_string(limit));
}

#if defined(__CUDACC__)

template <class Kernel, class Dims, class... Args>
__global__ void __launch_bounds__(Dims::is_static ? Dims::count : 1024) run_kernel(Kernel kernel, Args... args) {
  auto const block = mint::make<muster::block<Dims>>();
  if constexpr (shared_of<Kernel>::present) {
    using shared = typename Kernel::shared;
    __shared__ alignas(alignof(shared) < 16 ? 16 : alignof(shared)) unsigned char storage[sizeof(shared)];
    kernel(block, *reinterpret_cast<shared*>(storage), args...);
  } else {
    kernel(block, args...);
  }
}

template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target) {
  auto const entry = run_kernel<Kernel, Dims, Args...>;
  return reinterpret_cast<void const*>(entry);
}

// Launches the entry; arguments[i] points to its argument i.
inline void launch_on(device_target target, launch_request const& asked, void const* entry, void** arguments) {
  require_device();
  if (asked.dynamic_bytes > most_static_shared_bytes - asked.shared_bytes) {
    int device = 0, limit = 0;
    check_cuda(cudaGetDevice(&device), "muster::launch");
    check_cuda(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "muster::launch");
    check_shared_memory(asked, static_cast<std::size_t>(limit), "this GPU");
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(asked.dynamic_bytes)), "muster::launch");
  }
  check_cuda(cudaGetLastError(), "muster::launch: an error was pending before the launch");
  dim3 const grid(asked.grid.x, asked.grid.y, asked.grid.z), block(asked.block.x, asked.block.y, asked.block.z);
  check_cuda(cudaLaunchKernel(entry, grid, block, arguments, asked.dynamic_bytes, target.stream), "muster::launch");
}

#else

template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target) {
  return nullptr;
}

[[noreturn]] inline void launch_on(device_target, launch_request const&, void const*, void**) {
  throw launch_error("muster::on_device: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
}

#endif

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
    if constexpr (shared_of<Kernel>::present) kernel(block, *static_cast<typename Kernel::shared*>(emulator::shared_memory()), args...);
    else kernel(block, args...);
  }
};

using emulated_entry = void (*)(void* arguments);
template <class Kernel, class Dims, class... Args>
emulated_entry entry_for(emulator_target const&) {
  return &emulated_thread<Kernel, Dims, Args...>::enter;
}

inline void launch_on(emulator_target const& target, launch_request const& asked, emulated_entry entry, void** arguments) {
  check_shared_memory(asked, 227 * 1024, "the emulated GPU");  // what a block of compute capability 9.0 can have
  emulator::run(target.options, asked.grid, asked.block, asked.shared_bytes, asked.dynamic_bytes, entry, arguments);
}

template <class T>
concept block_shape = requires(T dims) {
  { T::is_static } -> std::convertible_to<bool>;
  { dims.shape() } -> std::same_as<extent>;
};

template <class T>
void* address_of(T const& value) {
  return const_cast<void*>(static_cast<void const volatile*>(__builtin_addressof(value)));
}

template <class T>
struct block_shape_is_dims {
  static_assert(block_shape<T>, "muster::launch: the block's shape is block_dims<X, Y, Z>{} or dynamic_block_dims{x, y, z}");
  static constexpr bool value = true;
};

}  // namespace detail

// Runs kernel(block, [shared,] args...) in every thread of grid × block on the target. Dims is block_dims<...>{} (warps' members are then known at compile time) or
// dynamic_block_dims{...}. On the GPU the launch is asynchronous in the target's stream; on the emulator it returns when all blocks have ended.
// Throws launch_error where the launch is impossible; from the emulator, emulator::emulation_error for a broken rule and emulator::kernel_error for an exception of the kernel.
template <class Target, class Grid, class Dims, class Kernel, class... Args>
  requires(!std::same_as<std::remove_cvref_t<Kernel>, dynamic_shared_size>)
void launch(Target const& target, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  static_assert(detail::grid_shape_is_dims<Grid>::value && detail::block_shape_is_dims<Dims>::value);
  static_assert(detail::kernel_can_be_copied<Kernel>::value);
  static_assert((detail::kernel_argument<Args>::value && ...));
  if constexpr (detail::block_shape<Dims> && std::is_same_v<Grid, grid_dims>) {
    static_assert(detail::kernel_takes_arguments<Kernel, Dims, Args...>::value);
    if constexpr (detail::kernel_is_callable<Kernel, Dims, Args...>) {
      detail::launch_request const asked{grid.shape(), dims.shape(), detail::shared_of<Kernel>::bytes, dynamic.bytes};
      detail::check_shape(asked);
      void* arguments[] = {detail::address_of(kernel), detail::address_of(args)...};
      detail::launch_on(target, asked, detail::entry_for<Kernel, Dims, Args...>(target), arguments);
    }
  }
}
template <class Target, class Grid, class Dims, class Kernel, class... Args>
  requires(!std::same_as<std::remove_cvref_t<Kernel>, dynamic_shared_size>)
void launch(Target const& target, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  launch(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

MUSTER_END
