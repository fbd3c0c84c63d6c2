// A block's shared memory, and what lies beside it: bytes that show when they were written, and behind them pages that nobody may touch.
#pragma once

#include <cstddef>
#include <string>

namespace muster::emulator::detail {

class shared_memory {
 public:
  shared_memory() = default;
  ~shared_memory();
  shared_memory(shared_memory const&) = delete;
  shared_memory& operator=(shared_memory const&) = delete;

  // Makes room for both, which a block begins with. Throws std::system_error when the memory cannot be had.
  void place(std::size_t static_bytes, std::size_t dynamic_bytes);
  unsigned char* of_kernel() const { return static_; }
  unsigned char* dynamic() const { return dynamic_; }

  // Where an address is that lies in neither: counted from the object that is next to it, -1 for the byte before it.
  struct neighbourhood {
    char const* object = nullptr;  // null: the address is elsewhere
    std::size_t bytes = 0;         // that the object has
    long long byte = 0;
  };
  neighbourhood beside(void const* address) const;

  // Which bytes beside the objects were written since this, or `place`, was last called, in words; "" for none. Looks at all of them, or at those that are next to an object.
  enum class extent_of_search { near, all };
  std::string written_beside(extent_of_search how_far);

 private:
  struct range {
    unsigned char* begin;
    unsigned char* end;
  };
  void release();
  bool is_as_filled(range bytes) const;
  std::string written_in(range gap);

  unsigned char* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  unsigned char* static_ = nullptr;
  unsigned char* dynamic_ = nullptr;
  std::size_t static_bytes_ = 0, dynamic_bytes_ = 0;
  range gaps_[3] = {};  // before, between and behind
};

}  // namespace muster::emulator::detail
