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
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/emulator/run.hpp>
#include <muster/emulator/runtime.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

MUSTER_BEGIN

// Thrown where a launch, an allocation or a copy cannot be done; what() says why. No CUDA error stays behind.
struct launch_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

// Where to run: the CPU emulator.
struct emulator_target {
  emulator::options options;
};
inline emulator_target on_emulator(emulator::options options = {}) { return {options}; }

namespace detail {

#if defined(__CUDACC__)

// Throws a launch_error for a failed runtime call, and clears the error it left.
inline void check_cuda(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw launch_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Why no GPU can be used here; empty if one can.
inline std::string why_no_device() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return {};
  cudaGetLastError();
  return status != cudaSuccess ? cudaGetErrorString(status) : "none is installed";
}

// Asks until there is a GPU, then no more: every launch comes through here.
inline void require_device() {
  static bool const found = [] {
    std::string const reason = why_no_device();
    if (!reason.empty()) throw launch_error("muster::on_device: there is no usable CUDA device: " + reason);
    return true;
  }();
  static_cast<void>(found);
}

#endif

}  // namespace detail

#if defined(__CUDACC__)

// Where to run: the current GPU, in a stream.
struct device_target {
  cudaStream_t stream = nullptr;
};
inline device_target on_device(cudaStream_t stream = nullptr) { return {stream}; }

#else

// This translation unit was not compiled by nvcc, so it holds no device code: using this target throws.
struct device_target_without_cuda {};
inline device_target_without_cuda on_device(void* = nullptr) { return {}; }

#endif

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
  static_assert(!is_token<Arg>, "muster::launch: a token is not a kernel argument; the kernel gets its block token from the launch and makes the others from it");
  static_assert(is_token<Arg> || is_bytewise_copyable<Arg>, "muster::launch: kernel arguments go to the GPU byte by byte; pass trivially copyable values, such as buffer.data()");
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

// Checks what holds for every machine; throws with the reason.
inline void check_shape(extent grid, extent block) {
  auto const text = [](extent e) { return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z); };
  if (grid.volume() == 0) throw launch_error("muster::launch: the grid is empty: " + text(grid) + " blocks");
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    throw launch_error("muster::launch: a grid has at most 2147483647 x 65535 x 65535 blocks, asked for " + text(grid));
  if (block.volume() == 0) throw launch_error("muster::launch: the block is empty: " + text(block) + " threads");
  if (block.volume() > 1024 || block.z > 64)
    throw launch_error("muster::launch: a block has at most 1024 threads, 64 of them in z, asked for " + text(block));
}

inline void check_shared_memory(std::size_t bytes, std::size_t limit, char const* machine) {
  if (bytes > limit)
    throw launch_error("muster::launch: the block asks for " + std::to_string(bytes) + " bytes of shared memory, " + machine + " gives at most " + std::to_string(limit));
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
void launch_on(device_target target, extent grid, extent block, Dims, std::size_t dynamic_bytes, Kernel const& kernel, Args... args) {
  require_device();
  auto const entry = run_kernel<Kernel, Dims, Args...>;
  if (dynamic_bytes > 48 * 1024 - shared_of<Kernel>::bytes) {
    int device = 0, limit = 0;
    check_cuda(cudaGetDevice(&device), "muster::launch");
    check_cuda(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "muster::launch");
    check_shared_memory(shared_of<Kernel>::bytes + dynamic_bytes, static_cast<std::size_t>(limit), "this GPU");
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamic_bytes)), "muster::launch");
  }
  check_cuda(cudaGetLastError(), "muster::launch: an error was pending before the launch");
  entry<<<dim3(grid.x, grid.y, grid.z), dim3(block.x, block.y, block.z), dynamic_bytes, target.stream>>>(kernel, args...);
  check_cuda(cudaGetLastError(), "muster::launch");
}

#else

template <class Kernel, class Dims, class... Args>
[[noreturn]] void launch_on(device_target_without_cuda, extent, extent, Dims, std::size_t, Kernel const&, Args...) {
  throw launch_error("muster::on_device: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
}

#endif

// The kernel call of one emulated thread, with everything it needs.
template <class Kernel, class Dims, class... Args>
struct emulated_call {
  Kernel const& kernel;
  std::tuple<Args...> args;

  static void enter(void* self) {
    auto const& call = *static_cast<emulated_call const*>(self);
    std::apply(
        [&](Args... args) {
          auto const block = mint::make<muster::block<Dims>>();
          if constexpr (shared_of<Kernel>::present) {
            call.kernel(block, *static_cast<typename Kernel::shared*>(emulator::shared_memory()), args...);
          } else {
            call.kernel(block, args...);
          }
        },
        call.args);
  }
};

template <class Kernel, class Dims, class... Args>
void launch_on(emulator_target const& target, extent grid, extent block, Dims, std::size_t dynamic_bytes, Kernel const& kernel, Args... args) {
  std::size_t const limit = 227 * 1024;  // what a block of compute capability 9.0 can have
  check_shared_memory(shared_of<Kernel>::bytes + dynamic_bytes, limit, "the emulated GPU");
  using call_type = emulated_call<Kernel, Dims, Args...>;
  call_type call{kernel, std::tuple<Args...>(args...)};
  emulator::run(target.options, grid, block, shared_of<Kernel>::bytes, dynamic_bytes, &call_type::enter, &call);
}

template <class T>
concept block_shape = requires(T dims) {
  { T::is_static } -> std::convertible_to<bool>;
  { dims.shape() } -> std::same_as<extent>;
};

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
      detail::check_shape(grid.shape(), dims.shape());
      detail::launch_on(target, grid.shape(), dims.shape(), dims, dynamic.bytes, kernel, args...);
    }
  }
}
template <class Target, class Grid, class Dims, class Kernel, class... Args>
  requires(!std::same_as<std::remove_cvref_t<Kernel>, dynamic_shared_size>)
void launch(Target const& target, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  launch(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// Waits until everything launched on the target has ended; throws launch_error with the reason if a kernel failed. The emulator has nothing to wait for.
inline void wait(emulator_target const&) {}
#if defined(__CUDACC__)
inline void wait(device_target target) { detail::check_cuda(cudaStreamSynchronize(target.stream), "muster::wait"); }
#else
inline void wait(device_target_without_cuda) {}
#endif

// Whether on_device can run something here.
inline bool has_device() {
#if defined(__CUDACC__)
  return detail::why_no_device().empty();
#else
  return false;
#endif
}

MUSTER_END
