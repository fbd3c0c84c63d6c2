// The lanes of a block that can run, and the choice of the next one.
#pragma once

#include <bit>
#include <cstdint>

#include <muster/emulator/run.hpp>

#include "random_numbers.hpp"

namespace muster::emulator::detail {

inline constexpr int max_lanes = 1024;

class ready_lanes {
 public:
  // Empties the set and starts the schedule anew.
  void start(schedule order, random_numbers source) {
    order_ = order;
    source_ = source;
    ahead_ = source_.next();
    count_ = 0;
    last_ = -1;
    for (int i = 0; i < words; ++i) bits_[i] = later_[i] = 0;
  }

  // Adds the lanes whose bits are set, counted from the first thread of a warp.
  void add(int first_thread, std::uint32_t members) {
    if (order_ != schedule::random) {
      bits_[first_thread / 64] |= static_cast<std::uint64_t>(members) << first_thread % 64;
      return;
    }
    if (members == 0xffffffffu) {
      for (int i = 0; i < 32; ++i) list_[count_ + i] = static_cast<std::uint16_t>(first_thread + i);
      count_ += 32;
      return;
    }
    for (; members != 0; members &= members - 1) list_[count_++] = static_cast<std::uint16_t>(first_thread + std::countr_zero(members));
  }

  // Adds a lane that only waits for others to get on. In the ordered schedules it stands back until no other lane can run.
  void add_yielding(int thread) {
    if (order_ == schedule::random) {
      list_[count_++] = static_cast<std::uint16_t>(thread);
    } else {
      // By a pointer: g++ 12 with -fsanitize=undefined writes into a copy of an array that ?: chooses.
      std::uint64_t* const standing = order_ == schedule::lockstep ? bits_ : later_;
      standing[thread / 64] |= std::uint64_t{1} << thread % 64;
    }
  }

  // Takes the next lane out while the running one still works; -1 when the schedule does not allow that. Unless others are added meanwhile
  // (then `put_back` and choose again) the choice is the one that `pick` would make later.
  [[gnu::always_inline]] int pick_early() {
    if (order_ != schedule::random || count_ == 0) [[unlikely]] return -1;
    return take(draw());
  }
  void put_back(int thread) { list_[count_++] = static_cast<std::uint16_t>(thread); }

  bool empty() const {
    if (order_ == schedule::random) return count_ == 0;
    for (int i = 0; i < words; ++i)
      if ((bits_[i] | later_[i]) != 0) return false;
    return true;
  }

  // Takes the next lane out; -1 when there is none.
  [[gnu::always_inline]] int pick() {
    if (order_ == schedule::random) [[likely]] {
      if (count_ == 0) [[unlikely]] return -1;
      return take(draw());
    }
    return pick_in_order();
  }

 private:
  [[gnu::always_inline]] int take(std::uint32_t place) {
    int const thread = list_[place];
    list_[place] = list_[--count_];
    return thread;
  }

  // The number for the next choice is drawn beforehand, so that a choice need not wait for it. The bias is below count / 2^32.
  [[gnu::always_inline]] std::uint32_t draw() {
    std::uint32_t const chosen = static_cast<std::uint32_t>((ahead_ >> 32) * static_cast<std::uint32_t>(count_) >> 32);
    ahead_ = source_.next();
    return chosen;
  }

  static constexpr int words = max_lanes / 64;

  int take_bit(int word, int bit) {
    bits_[word] &= ~(std::uint64_t{1} << bit);
    return last_ = word * 64 + bit;
  }

  int lowest(int from) {
    for (int word = from / 64; word < words; ++word) {
      std::uint64_t const here = word == from / 64 ? bits_[word] >> from % 64 << from % 64 : bits_[word];
      if (here != 0) return take_bit(word, std::countr_zero(here));
    }
    return -1;
  }

  int highest() {
    for (int word = words - 1; word >= 0; --word) {
      if (bits_[word] != 0) return take_bit(word, 63 - std::countl_zero(bits_[word]));
    }
    return -1;
  }

  [[gnu::noinline]] int pick_in_order() {
    if (order_ == schedule::lockstep) {
      int const next = last_ + 1 < max_lanes ? lowest(last_ + 1) : -1;
      return next >= 0 ? next : lowest(0);
    }
    int const next = order_ == schedule::ascending ? lowest(0) : highest();
    if (next >= 0) return next;
    for (int i = 0; i < words; ++i) {
      bits_[i] = later_[i];
      later_[i] = 0;
    }
    return order_ == schedule::ascending ? lowest(0) : highest();
  }

  schedule order_ = schedule::random;
  int count_ = 0;
  int last_ = -1;
  random_numbers source_;
  std::uint64_t ahead_ = 0;
  std::uint16_t list_[max_lanes];
  std::uint64_t bits_[words];
  std::uint64_t later_[words];
};

}  // namespace muster::emulator::detail
