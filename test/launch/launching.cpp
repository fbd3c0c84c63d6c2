// Launches: shapes, shared memory, what a kernel learns of its place, and what is refused with which reason.
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace launching {

using namespace test;
using Catch::Matchers::ContainsSubstring;

struct place {
  int thread, block, blocks, x, y, z, block_x, block_y, lane;
};

struct places {
  MUSTER_FN void operator()(auto block, place* out) const {
    int const thread = muster::thread_rank(block);
    int const number = static_cast<int>(muster::block_rank(block).value());
    auto const at = muster::thread_index(block);
    auto const in_grid = muster::block_index(block);
    int const threads = muster::num_threads(block);
    out[number * threads + thread] = {thread, number, static_cast<int>(muster::num_blocks(block).value()), static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z),
                                      static_cast<int>(in_grid.x), static_cast<int>(in_grid.y), muster::thread_rank(muster::this_warp(block))};
  }
};

template <class Dims>
void check_places(machine const& on, muster::grid_dims grid, Dims dims) {
  muster::extent const shape = dims.shape();
  std::size_t const threads = shape.volume(), blocks = grid.shape().volume();
  auto out = on.memory(std::vector<place>(threads * blocks));
  on.run(grid, dims, places{}, out.data());
  auto const got = out.to_vector();
  int wrong = 0;
  for (std::size_t b = 0; b < blocks; ++b)
    for (unsigned z = 0; z < shape.z; ++z)
      for (unsigned y = 0; y < shape.y; ++y)
        for (unsigned x = 0; x < shape.x; ++x) {
          int const thread = static_cast<int>(x + shape.x * (y + shape.y * z));
          place const& p = got[b * threads + static_cast<std::size_t>(thread)];
          bool const right = p.thread == thread && p.block == static_cast<int>(b) && p.blocks == static_cast<int>(blocks) && p.x == static_cast<int>(x) && p.y == static_cast<int>(y) &&
                             p.z == static_cast<int>(z) && p.block_x == static_cast<int>(b % grid.x) && p.block_y == static_cast<int>(b / grid.x % grid.y) && p.lane == thread % 32;
          wrong += right ? 0 : 1;
        }
  INFO(on.name() << ", block " << shape.x << " x " << shape.y << " x " << shape.z);
  CHECK(wrong == 0);
}

TEST_CASE("a thread knows its place in blocks and grids of one to three dimensions") {
  for_each_machine([](machine const& on) {
    check_places(on, muster::grid_dims(3), muster::block_dims<64>{});
    check_places(on, muster::grid_dims(2, 3), muster::block_dims<8, 8>{});
    check_places(on, muster::grid_dims(2, 2, 2), muster::block_dims<3, 4, 5>{});
    check_places(on, muster::grid_dims(2), muster::dynamic_block_dims{33});
    check_places(on, muster::grid_dims(1, 2), muster::dynamic_block_dims{7, 5, 2});
  });
}

// Both kinds of shared memory: the block's sum goes through one, its values through the other.
struct through_shared_memory {
  struct shared {
    int total;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int* const values = muster::dynamic_shared<int>(block);
    int const thread = muster::thread_rank(block);
    values[thread] = thread + 1;
    muster::sync(block);
    if (thread == 0) {
      s.total = 0;
      for (int i = 0; i < muster::num_threads(block); ++i) s.total += values[i];
    }
    muster::sync(block);
    out[thread] = s.total + static_cast<int>(muster::dynamic_shared_bytes(block));
  }
};

TEST_CASE("shared and dynamic shared memory belong to the block") {
  for_each_machine([](machine const& on) {
    for (std::size_t const bytes : {std::size_t{256}, std::size_t{100 * 1024}}) {
      auto out = on.memory(std::vector<int>(64));
      on.run(muster::grid_dims(1), muster::block_dims<64>{}, muster::dynamic_shared_size{bytes}, through_shared_memory{}, out.data());
      INFO(on.name() << ", " << bytes << " bytes");
      CHECK(out.to_vector() == std::vector<int>(64, 64 * 65 / 2 + static_cast<int>(bytes)));
    }
  });
}

struct write_seven {
  MUSTER_FN void operator()(auto block, int* out) const { out[muster::thread_rank(block)] = 7; }
};

TEST_CASE("an impossible launch says why, and the next one works") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    auto out = on.memory(std::vector<int>(32));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(0), muster::block_dims<32>{}, write_seven{}, out.data()), ContainsSubstring("the grid is empty"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1, 70000), muster::block_dims<32>{}, write_seven{}, out.data()), ContainsSubstring("65535"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::dynamic_block_dims{2048}, write_seven{}, out.data()), ContainsSubstring("1024 threads"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::dynamic_block_dims{1, 1, 65}, write_seven{}, out.data()), ContainsSubstring("64 of them in z"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::dynamic_block_dims{0}, write_seven{}, out.data()), ContainsSubstring("the block is empty"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::block_dims<32>{}, muster::dynamic_shared_size{1 << 20}, write_seven{}, out.data()), ContainsSubstring("shared memory"));
    // Together with the kernel's own shared memory, as many bytes as a counter can count are fewer than none.
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::block_dims<64>{}, muster::dynamic_shared_size{~std::size_t{0}}, through_shared_memory{}, out.data()),
                      ContainsSubstring("4 bytes of shared memory and 18446744073709551615 of dynamic"));
    CHECK_THROWS_WITH(on.run(muster::grid_dims(1), muster::dynamic_block_dims{1u << 31, 1u << 31, 4}, write_seven{}, out.data()), ContainsSubstring("1024 threads"));
    CHECK_THROWS_AS(on.run(muster::grid_dims(0), muster::block_dims<32>{}, write_seven{}, out.data()), muster::launch_error);
    on.run(muster::grid_dims(1), muster::block_dims<32>{}, write_seven{}, out.data());
    CHECK(out.to_vector() == std::vector<int>(32, 7));
  });
}

TEST_CASE("where no GPU can be used, on_device says so") {
  if (muster::has_device()) SKIP("there is a GPU here");
  int* const nothing = nullptr;
  CHECK_THROWS_WITH(muster::launch(muster::on_device(), muster::grid_dims(1), muster::block_dims<32>{}, write_seven{}, nothing),
                    ContainsSubstring(built_by_nvcc ? "no usable CUDA device" : "built without CUDA"));
  CHECK_THROWS_AS(muster::buffer<int>(muster::on_device(), 4), muster::launch_error);
}

TEST_CASE("a GPU older than sm_80 is no device, with the reason") {
  CHECK_THAT(muster::detail::why_unfit(7, 5), ContainsSubstring("compute capability 7.5, and muster needs 8.0"));
  CHECK(muster::detail::why_unfit(8, 0).empty());
  CHECK(muster::detail::why_unfit(12, 1).empty());
}

#if defined(__CUDACC__)
__global__ void kernel_of_its_own(int* out) {
  auto const block = muster::this_block<muster::block_dims<64>>();
  out[muster::thread_rank(block)] = muster::reduce(muster::this_warp(block), muster::thread_rank(block), muster::plus{});
}
__global__ void kernel_of_any_size(int* out) {
  auto const block = muster::this_block();
  out[muster::thread_rank(block)] = muster::reduce(muster::this_warp(block), 1, muster::plus{});
}

TEST_CASE("a kernel that exists already takes its block by this_block") {
  if (!muster::has_device()) SKIP("there is no GPU here");
  muster::buffer<int> out(muster::on_device(), 64);
  kernel_of_its_own<<<1, 64>>>(out.data());
  std::vector<int> expected(64, 31 * 32 / 2);
  for (int t = 32; t < 64; ++t) expected[static_cast<std::size_t>(t)] = 31 * 32 / 2 + 32 * 32;
  CHECK(out.to_vector() == expected);
  muster::buffer<int> odd(muster::on_device(), 45);
  kernel_of_any_size<<<1, 45>>>(odd.data());
  expected.assign(45, 32);
  for (std::size_t t = 32; t < 45; ++t) expected[t] = 13;
  CHECK(odd.to_vector() == expected);
}
#endif

TEST_CASE("a buffer holds what was put into it") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    std::vector<int> const values{3, 1, 4, 1, 5};
    auto first = on.memory(values);
    CHECK(first.to_vector() == values);
    auto second = std::move(first);
    CHECK(second.to_vector() == values);
    CHECK(first.size() == 0);
    std::vector<int> const too_many(6);
    CHECK_THROWS_WITH(second.copy_from(too_many), ContainsSubstring("6 values do not fit a buffer of 5"));
    CHECK(second.to_vector() == values);
    CHECK_THROWS_WITH(on.memory<double>((std::size_t{1} << 61) + 1), ContainsSubstring("more bytes than an address can count"));
    CHECK_THROWS_WITH(on.memory<char>(~std::size_t{0} - 7), ContainsSubstring("more bytes than an address can count"));
    auto const empty = on.memory<int>(0);
    CHECK(empty.to_vector().empty());
  });
}

struct alignas(256) widest {
  unsigned char byte[256];
};

TEST_CASE("a buffer is aligned to 256 bytes on every machine") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    std::vector<muster::buffer<char>> small;
    for (int i = 0; i < 20; ++i) {
      small.push_back(on.memory<char>(static_cast<std::size_t>(24 * i + 1)));
      CHECK(reinterpret_cast<std::uintptr_t>(small.back().data()) % 256 == 0);
      CHECK(reinterpret_cast<std::uintptr_t>(on.memory<widest>(3).data()) % 256 == 0);
    }
  });
}

}  // namespace launching
