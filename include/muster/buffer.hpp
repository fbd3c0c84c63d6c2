// buffer<T>: memory for a kernel's arguments, on the machine where it will run, and copies to and from it.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <muster/config.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace detail {

// Memory of one machine, and what that machine does with it: the same in sources compiled by nvcc and in others.
struct machine_memory {
  void* data = nullptr;
  void (*release)(void* data) = nullptr;
  void (*copy)(void* to, void const* from, std::size_t bytes, void* stream) = nullptr;
  void* stream = nullptr;
};

// As cudaMalloc aligns.
inline constexpr std::align_val_t memory_alignment{256};

inline machine_memory allocate(emulator_target const&, std::size_t bytes) {
  void* const data = ::operator new(bytes, memory_alignment, std::nothrow);
  if (data == nullptr) throw launch_error("muster::buffer: no host memory for " + std::to_string(bytes) + " bytes");
  return {data, [](void* owned) { ::operator delete(owned, memory_alignment); }, [](void* to, void const* from, std::size_t size, void*) { std::memcpy(to, from, size); }};
}
#if defined(__CUDACC__)
inline void copy_in_stream(void* to, void const* from, std::size_t bytes, void* stream) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)), "muster::buffer: copy");
  check_cuda(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "muster::buffer: copy");
}
inline machine_memory allocate(device_target target, std::size_t bytes) {
  require_device();
  void* data = nullptr;
  check_cuda(cudaMalloc(&data, bytes), ("muster::buffer: " + std::to_string(bytes) + " bytes of device memory").c_str());
  return {data, [](void* owned) { cudaFree(owned); }, &copy_in_stream, target.stream};
}
#else
inline machine_memory allocate(device_target, std::size_t) {
  throw launch_error("muster::buffer: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
}
#endif

template <class First>
struct buffer_names_its_target {
  static_assert(std::is_void_v<First>,
                "muster::buffer<T>(target, size), (target, values): the first argument says on which machine the memory is, as in the launch: on_device() or on_emulator(); it is "
                "allocated there, and not taken from a pointer");
  static constexpr bool value = true;
};

}  // namespace detail

// Owns `size` objects of T for a target: device memory for on_device, host memory for on_emulator, aligned to 256 bytes. Contents start undefined. Move-only.
// Copies are ordered in the target's stream and wait for it. Errors: launch_error (no device, no memory, sizes that do not match).
template <class T>
class buffer {
  static_assert(is_bytewise_copyable<T>, "muster::buffer<T>: T is copied byte by byte; it must be trivially copyable");
  static_assert(alignof(T) <= 256, "muster::buffer<T>: memory is aligned to 256 bytes, as cudaMalloc aligns it");

 public:
  template <class Target>
  buffer(Target const& target, std::size_t size) : memory_(detail::allocate(target, bytes_of(size))), size_(size) {}

  // With contents.
  template <class Target>
  buffer(Target const& target, std::span<T const> values) : buffer(target, values.size()) {
    copy_from(values);
  }
  template <class Target>
  buffer(Target const& target, std::vector<T> const& values) : buffer(target, std::span<T const>(values)) {}

  // Not a buffer but its error message.
  template <class First, class... Rest>
    requires(std::is_arithmetic_v<First> || std::is_pointer_v<First>)
  explicit buffer(First, Rest const&...) {
    static_assert(detail::buffer_names_its_target<First>::value);
  }

  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~buffer() {
    if (memory_.data != nullptr) memory_.release(memory_.data);
  }

  // For the kernel: only code on the buffer's machine may read through it.
  T* data() { return static_cast<T*>(memory_.data); }
  T const* data() const { return static_cast<T const*>(memory_.data); }
  std::size_t size() const { return size_; }

  void copy_from(std::span<T const> values) {
    check_size(values.size());
    if (size_ != 0) memory_.copy(memory_.data, values.data(), size_ * sizeof(T), memory_.stream);
  }

  void copy_to(std::span<T> values) const {
    check_size(values.size());
    if (size_ != 0) memory_.copy(values.data(), memory_.data, size_ * sizeof(T), memory_.stream);
  }

  std::vector<T> to_vector() const {
    std::vector<T> values(size_);
    copy_to(values);
    return values;
  }

 private:
  // What to allocate: never nothing, and never fewer bytes than `size` objects have because their product, or its rounding up, wrapped.
  static std::size_t bytes_of(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw launch_error("muster::buffer: " + std::to_string(size) + " values have more bytes than an address can count");
    return size == 0 ? 1 : size * sizeof(T);
  }
  void swap(buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }
  void check_size(std::size_t other) const {
    if (other != size_) throw launch_error("muster::buffer: " + std::to_string(other) + " values do not fit a buffer of " + std::to_string(size_));
  }

  detail::machine_memory memory_;
  std::size_t size_ = 0;
};

MUSTER_END
