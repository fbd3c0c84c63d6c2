// buffer<T>: memory for a kernel's arguments, on the machine where it will run, and copies to and from it.
#pragma once

#include <cstddef>
#include <cstring>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <muster/config.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/launch.hpp>

MUSTER_BEGIN

// Owns `size` objects of T for a target: device memory for on_device, host memory for on_emulator. Contents start undefined. Move-only.
// Copies are ordered in the target's stream and wait for it. Errors: launch_error (no device, no memory, sizes that do not match).
template <class T>
class buffer {
  static_assert(is_bytewise_copyable<T>, "muster::buffer<T>: T is copied byte by byte; it must be trivially copyable");

 public:
  buffer(emulator_target const&, std::size_t size) : data_(static_cast<T*>(std::malloc(bytes_of(size)))), size_(size), release_(&std::free) {
    if (data_ == nullptr) throw launch_error("muster::buffer: no host memory for " + std::to_string(size * sizeof(T)) + " bytes");
  }
#if defined(__CUDACC__)
  buffer(device_target target, std::size_t size) : size_(size), release_([](void* data) { cudaFree(data); }), stream_(target.stream), on_device_(true) {
    detail::require_device();
    void* data = nullptr;
    detail::check_cuda(cudaMalloc(&data, bytes_of(size)), ("muster::buffer: " + std::to_string(size * sizeof(T)) + " bytes of device memory").c_str());
    data_ = static_cast<T*>(data);
  }
#else
  buffer(device_target_without_cuda, std::size_t) {
    throw launch_error("muster::buffer: this program was built without CUDA; compile this file with nvcc, or use on_emulator");
  }
#endif

  // With contents.
  template <class Target>
  buffer(Target const& target, std::span<T const> values) : buffer(target, values.size()) {
    copy_from(values);
  }
  template <class Target>
  buffer(Target const& target, std::vector<T> const& values) : buffer(target, std::span<T const>(values)) {}

  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~buffer() {
    if (data_ != nullptr) release_(data_);
  }

  // For the kernel: only code on the buffer's machine may read through it.
  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return size_; }

  void copy_from(std::span<T const> values) {
    check_size(values.size());
    if (size_ == 0) return;
#if defined(__CUDACC__)
    if (on_device_) {
      detail::check_cuda(cudaMemcpyAsync(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, stream_), "muster::buffer: copy to the device");
      detail::check_cuda(cudaStreamSynchronize(stream_), "muster::buffer: copy to the device");
      return;
    }
#endif
    std::memcpy(static_cast<void*>(data_), values.data(), size_ * sizeof(T));
  }

  void copy_to(std::span<T> values) const {
    check_size(values.size());
    if (size_ == 0) return;
#if defined(__CUDACC__)
    if (on_device_) {
      detail::check_cuda(cudaMemcpyAsync(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream_), "muster::buffer: copy from the device");
      detail::check_cuda(cudaStreamSynchronize(stream_), "muster::buffer: copy from the device");
      return;
    }
#endif
    std::memcpy(static_cast<void*>(values.data()), data_, size_ * sizeof(T));
  }

  std::vector<T> to_vector() const {
    std::vector<T> values(size_);
    copy_to(values);
    return values;
  }

 private:
  // What to allocate: never nothing, and never fewer bytes than `size` objects have because their product wrapped.
  static std::size_t bytes_of(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw launch_error("muster::buffer: " + std::to_string(size) + " values have more bytes than an address can count");
    return size == 0 ? 1 : size * sizeof(T);
  }
  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(release_, other.release_);
#if defined(__CUDACC__)
    std::swap(stream_, other.stream_);
    std::swap(on_device_, other.on_device_);
#endif
  }
  void check_size(std::size_t other) const {
    if (other != size_) throw launch_error("muster::buffer: " + std::to_string(other) + " values do not fit a buffer of " + std::to_string(size_));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  void (*release_)(void*) = nullptr;
#if defined(__CUDACC__)
  cudaStream_t stream_ = nullptr;
  bool on_device_ = false;
#endif
};

MUSTER_END
