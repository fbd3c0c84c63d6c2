// One kernel, launched from both sources of the program.
#pragma once

#include <vector>

#include <everything.hpp>

struct sum_of_eights {
  MUSTER_FN void operator()(auto block, int const* in, int* out) const {
    auto tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const i = muster::thread_rank(block);
    out[i] = muster::reduce(tile, in[i], muster::plus{});
  }
};

// 64 numbers from `first` on; each thread's result is the sum of its eight neighbours. Returns how many are wrong.
inline int wrong_sums(int first) {
  std::vector<int> in(64), out(64);
  for (int i = 0; i < 64; ++i) in[i] = first + i;
  muster::launch(muster::on_emulator({.seed = 7}), muster::grid_dims(1), muster::block_dims<64>{}, sum_of_eights{}, in.data(), out.data());
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += out[i] != 8 * (first + i / 8 * 8) + 28;
  return wrong;
}
