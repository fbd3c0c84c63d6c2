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
// launch(target, [cooperative,] grid_dims(n), [cluster_dims<4>{},] block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...)
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
#include <muster/core/placed_dims.hpp>
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

// Before grid_dims: all blocks run at once or the launch throws, so that they can wait for each other; this_grid(block) is then their token. How many can is
// max_cooperative_blocks.
struct cooperative_launch {};
inline constexpr cooperative_launch cooperative{};

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
inline constexpr bool kernel_leaves_shared_out = shared_of<Kernel>::present && std::is_invocable_v<Kernel const&, muster::block<Dims> const&, Args&...>;

template <class Kernel, class Dims, class... Args>
struct kernel_takes_arguments {
  static_assert(kernel_is_callable<Kernel, Dims, Args...> || !kernel_leaves_shared_out<Kernel, Dims, Args...>,
                "muster::launch: the kernel declares 'shared' and does not take it: it gets its storage after the block, operator()(auto block, shared& s, args...) const");
  static_assert(kernel_is_callable<Kernel, Dims, Args...> || kernel_leaves_shared_out<Kernel, Dims, Args...>,
                "muster::launch: the kernel cannot be called with these arguments; it needs operator()(auto block, [shared& s,] args...) const, and the launch gives args...");
  static constexpr bool value = true;
};

// A launch without its types, so that what follows is compiled once and not for every kernel.
struct launch_request {
  extent grid;
  extent block;
  std::size_t shared_bytes;   // the kernel's own
  std::size_t dynamic_bytes;
  extent cluster{0, 0, 0};  // as in no_cluster: there are none
  bool is_cooperative = false;

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

// A launch as the runtime takes it. The attributes lie in it, so it stays where it is.
class launch_config {
 public:
  launch_config(device_target target, launch_request const& asked) {
    config_.gridDim = dim3(asked.grid.x, asked.grid.y, asked.grid.z);
    config_.blockDim = dim3(asked.block.x, asked.block.y, asked.block.z);
    config_.dynamicSmemBytes = asked.dynamic_bytes;
    config_.stream = target.stream;
    config_.attrs = attributes_;
    if (asked.has_clusters()) {
      cudaLaunchAttribute& clusters = attributes_[config_.numAttrs++];
      clusters.id = cudaLaunchAttributeClusterDimension;
      clusters.val.clusterDim.x = asked.cluster.x;
      clusters.val.clusterDim.y = asked.cluster.y;
      clusters.val.clusterDim.z = asked.cluster.z;
    }
    if (asked.is_cooperative) {
      cudaLaunchAttribute& all_at_once = attributes_[config_.numAttrs++];
      all_at_once.id = cudaLaunchAttributeCooperative;
      all_at_once.val.cooperative = 1;
    }
  }
  launch_config(launch_config const&) = delete;
  launch_config& operator=(launch_config const&) = delete;

  cudaLaunchConfig_t const* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[2]{};
  cudaLaunchConfig_t config_{};
};

inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "muster::launch");
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "muster::launch");
  return value;
}

// What must be asked for a kernel before it can be launched so: more dynamic shared memory, clusters of more blocks, than every GPU gives.
inline void prepare(launch_request const& asked, void const* entry) {
  require_device();
  if (asked.dynamic_bytes > most_static_shared_bytes - asked.shared_bytes) {
    check_shared_memory(asked, static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)), "this GPU");
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(asked.dynamic_bytes)), "muster::launch");
  }
  if (asked.cluster.volume() > portable_cluster_blocks)
    check_cuda(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "muster::launch: a cluster of more than 8 blocks");
}

// Why the current GPU cannot run this kernel in clusters of so many blocks; empty if it can.
inline std::string why_no_clusters(device_target, launch_request const& asked, void const* entry) {
  require_device();
  std::string const clusters = "clusters of " + text_of(asked.cluster) + " blocks: ";
  if (device_attribute(cudaDevAttrClusterLaunch) == 0) return clusters + "this GPU has none; compute capability 9.0 or newer does";
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, entry), "muster::launch");
  if (attributes.ptxVersion < 90) return clusters + "the kernel was compiled for compute capability " + std::to_string(attributes.ptxVersion / 10) + "." +
                                         std::to_string(attributes.ptxVersion % 10) + ", they need 9.0 or newer (CMAKE_CUDA_ARCHITECTURES, or nvcc -arch)";
  prepare(asked, entry);
  launch_config const config({}, asked);
  int most = 0;
  check_cuda(cudaOccupancyMaxPotentialClusterSize(&most, entry, config.get()), "muster::launch");
  if (static_cast<unsigned long long>(most) < asked.cluster.volume())
    return clusters + "of this kernel, with its registers and shared memory, this GPU takes at most " + std::to_string(most);
  return {};
}

// How many blocks of the kernel can run at once; `asked` has a grid of any size.
inline int most_blocks_at_once(device_target, launch_request const& asked, void const* entry) {
  prepare(asked, entry);
  if (device_attribute(cudaDevAttrCooperativeLaunch) == 0) throw launch_error("muster::launch: this GPU has no cooperative launch");
  if (asked.has_clusters()) {
    launch_config const config({}, asked);
    int clusters = 0;
    check_cuda(cudaOccupancyMaxActiveClusters(&clusters, entry, config.get()), "muster::launch");
    return clusters * static_cast<int>(asked.cluster.volume());
  }
  int of_multiprocessor = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, entry, static_cast<int>(asked.block.volume()), asked.dynamic_bytes), "muster::launch");
  return of_multiprocessor * device_attribute(cudaDevAttrMultiProcessorCount);
}

// Launches the entry; arguments[i] points to its argument i.
inline void launch_on(device_target target, launch_request const& asked, void const* entry, void** arguments) {
  prepare(asked, entry);
  check_cuda(cudaGetLastError(), "muster::launch: an error was pending before the launch");
  if (asked.is_cooperative) check_resident(asked, static_cast<unsigned long long>(most_blocks_at_once(target, asked, entry)), "this GPU");
  launch_config const config(target, asked);
  cudaError_t const status = cudaLaunchKernelExC(config.get(), entry, arguments);
  if (status != cudaSuccess && asked.has_clusters()) {
    cudaGetLastError();
    std::string const reason = why_no_clusters(target, asked, entry);
    if (!reason.empty()) throw launch_error("muster::launch: " + reason);
  }
  check_cuda(status, "muster::launch");
}

template <class Kernel, class Dims, class... Args>
void const* plain_entry_for(device_target) {
  return reinterpret_cast<void const*>(&run_kernel<Kernel, Dims, Args...>);
}

// A kernel without code of clusters would start and do nothing of what it should, so that is asked before its first launch.
template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target target, launch_request const& asked) {
  void const* const entry = plain_entry_for<Kernel, Dims, Args...>(target);
  if constexpr (cluster_type_of<Dims>::count != 0) {
    static bool const has_clusters = [&] {
      std::string const reason = why_no_clusters(target, asked, entry);
      if (!reason.empty()) throw launch_error("muster::launch: " + reason);
      return true;
    }();
    static_cast<void>(has_clusters);
  }
  return entry;
}

#else

template <class Kernel, class Dims, class... Args>
void const* plain_entry_for(device_target) {
  return nullptr;
}
template <class Kernel, class Dims, class... Args>
void const* entry_for(device_target, launch_request const&) {
  return nullptr;
}

[[noreturn]] inline void refuse_device() {
  throw launch_error("muster::on_device: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
}
[[noreturn]] inline void launch_on(device_target, launch_request const&, void const*, void**) { refuse_device(); }
[[noreturn]] inline int most_blocks_at_once(device_target, launch_request const&, void const*) { refuse_device(); }
[[noreturn]] inline std::string why_no_clusters(device_target, launch_request const&, void const*) { refuse_device(); }

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
emulated_entry plain_entry_for(emulator_target const&) {
  return &emulated_thread<Kernel, Dims, Args...>::enter;
}
template <class Kernel, class Dims, class... Args>
emulated_entry entry_for(emulator_target const&, launch_request const&) {
  return &emulated_thread<Kernel, Dims, Args...>::enter;
}

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

template <class T>
concept dims_of_a_block = requires(T dims) {
  { T::is_static } -> std::convertible_to<bool>;
  { dims.shape() } -> std::same_as<extent>;
};

template <class T>
void* address_of(T const& value) {
  return const_cast<void*>(static_cast<void const volatile*>(__builtin_addressof(value)));
}

template <class T>
struct block_shape_is_dims {
  static_assert(dims_of_a_block<T>, "muster::launch: the block's shape is block_dims<X, Y, Z>{} or dynamic_block_dims{x, y, z}");
  static constexpr bool value = true;
};

// Who comes between the target and the kernel.
template <class T>
inline constexpr bool is_launch_parameter = std::is_same_v<T, dynamic_shared_size> || is_cluster_dims<T>;
template <class T>
concept kernel_object = !is_launch_parameter<T> && !std::is_same_v<T, grid_dims> && !dims_of_a_block<T>;

template <class Cluster, bool IsCooperative, class Target, class Grid, class Dims, class Kernel, class... Args>
void launch_in_company(Target const& target, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  static_assert(grid_shape_is_dims<Grid>::value && block_shape_is_dims<Dims>::value);
  static_assert(kernel_can_be_copied<Kernel>::value);
  static_assert((kernel_argument<Args>::value && ...));
  if constexpr (dims_of_a_block<Dims> && std::is_same_v<Grid, grid_dims>) {
    using placed = typename dims_in_company<Dims, Cluster, IsCooperative>::type;
    static_assert(kernel_takes_arguments<Kernel, placed, Args...>::value);
    if constexpr (kernel_is_callable<Kernel, placed, Args...>) {
      launch_request const asked{grid.shape(), dims.shape(), shared_of<Kernel>::bytes, dynamic.bytes, Cluster::shape(), IsCooperative};
      check_shape(asked);
      void* arguments[] = {address_of(kernel), address_of(args)...};
      launch_on(target, asked, entry_for<Kernel, placed, Args...>(target, asked), arguments);
    }
  }
}

}  // namespace detail

// Runs kernel(block, [shared,] args...) in every thread of grid × block on the target. Dims is block_dims<...>{} (warps' members are then known at compile time) or
// dynamic_block_dims{...}. On the GPU the launch is asynchronous in the target's stream; on the emulator it returns when all blocks have ended.
// Throws launch_error where the launch is impossible; from the emulator, emulator::emulation_error for a broken rule and emulator::kernel_error for an exception of the kernel.
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, false>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, class... Args>
  requires(!detail::is_launch_parameter<Dims>)
void launch(Target const& target, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, false>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// The same in clusters of blocks, which run at once and reach each other's shared memory: this_cluster(block) is their token. The grid counts blocks and is a multiple of
// the cluster in each direction. Clusters need compute capability 9.0, on the GPU and in what the kernel was compiled for; launch_error says what is missing.
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, Grid grid, cluster_dims<X, Y, Z>, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, false>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, Grid grid, cluster_dims<X, Y, Z>, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, false>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// The same with all blocks at once, or a launch_error: this_grid(block) is the token of all. Can be captured in a graph. Cost over a plain launch: the host asks how many
// blocks fit.
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, cooperative_launch, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, true>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, class... Args>
  requires(!detail::is_launch_parameter<Dims>)
void launch(Target const& target, cooperative_launch, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, true>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, cooperative_launch, Grid grid, cluster_dims<X, Y, Z>, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, true>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, class... Args>
void launch(Target const& target, cooperative_launch, Grid grid, cluster_dims<X, Y, Z>, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, true>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// Whether this kernel, with these arguments, can be launched in such clusters: on a GPU that has none, and where it was compiled without them, it cannot. Throws where there
// is no usable GPU at all.
template <class Target, class Cluster, class Dims, detail::kernel_object Kernel, class... Args>
bool can_launch_clusters(Target const& target, Cluster, Dims dims, Kernel const&, Args const&...) {
  static_assert(detail::is_cluster_dims<Cluster> && detail::block_shape_is_dims<Dims>::value);
  using placed = typename detail::dims_in_company<Dims, Cluster, false>::type;
  detail::launch_request const asked{Cluster::shape(), dims.shape(), detail::shared_of<Kernel>::bytes, 0, Cluster::shape(), false};
  return detail::why_no_clusters(target, asked, detail::plain_entry_for<Kernel, placed, Args...>(target)).empty();
}

// How many blocks of this kernel, launched with these parameters and arguments, can run at once: the largest grid of a cooperative launch, while nothing else runs. Throws as
// launch does.
template <class Cluster = no_cluster, class Target, class Dims, detail::kernel_object Kernel, class... Args>
int max_cooperative_blocks(Target const& target, Dims dims, dynamic_shared_size dynamic, Kernel const&, Args const&...) {
  static_assert(detail::block_shape_is_dims<Dims>::value);
  using placed = typename detail::dims_in_company<Dims, Cluster, true>::type;
  static_assert(detail::kernel_takes_arguments<Kernel, placed, Args...>::value);
  extent const one = Cluster::count == 0 ? extent{} : Cluster::shape();
  detail::launch_request const asked{one, dims.shape(), detail::shared_of<Kernel>::bytes, dynamic.bytes, Cluster::shape(), true};
  detail::check_shape(asked);
  return detail::most_blocks_at_once(target, asked, detail::entry_for<Kernel, placed, Args...>(target, asked));
}
template <class Cluster = no_cluster, class Target, class Dims, detail::kernel_object Kernel, class... Args>
  requires(!detail::is_launch_parameter<Dims>)
int max_cooperative_blocks(Target const& target, Dims dims, Kernel const& kernel, Args const&... args) {
  return max_cooperative_blocks<Cluster>(target, dims, dynamic_shared_size{}, kernel, args...);
}

MUSTER_END
