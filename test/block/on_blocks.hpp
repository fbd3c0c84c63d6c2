// Runs every algorithm of a block, one call after the other on one storage, on blocks of many shapes, and compares each thread's results with a plain model.
#pragma once

#include <string>
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "support/folds.hpp"
#include "support/machines.hpp"
#include "support/on_members.hpp"

namespace block_tests {

using namespace test;

template <class Dims>
std::string name_of(Dims dims) {
  auto const shape = dims.shape();
  return (Dims::is_static ? "block of " : "run-time block of ") + std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " + std::to_string(shape.z);
}

// What a whole block is asked. The model is that of folds.hpp, of a group that is the block.
template <class Op, class T>
struct block_folds : folds<Op, T> {
  using model = folds<Op, T>;
  static constexpr int results = 10;
  static constexpr int told_rank = 11;  // whose value is broadcast, modulo the number of threads
  static std::vector<std::string> names() {
    return {"reduce", "reduce again", "inclusive_scan", "exclusive_scan", "reduce of three each", "inclusive_scan of three each", "exclusive_scan of three each",
            "reduce by shuffle", "broadcast<0>", "broadcast of a rank"};
  }

  template <class Block, class Storage, class Out>
  MUSTER_FN static void run(Block b, Storage& s, T const mine, Out const& out) {
    out(0, muster::reduce(b, s, mine, Op{}).value());
    out(1, muster::reduce(b, s, mine, Op{}).value());
    out(2, muster::inclusive_scan(b, s, mine, Op{}));
    out(3, muster::exclusive_scan(b, s, mine, Op{}));
    T values[3] = {mine, model::other(mine, 1), model::other(mine, 2)};
    out(4, muster::reduce(b, s, values, Op{}).value());
    muster::inclusive_scan(b, s, values, Op{});
    out(5, values[1]);
    T again[3] = {mine, model::other(mine, 1), model::other(mine, 2)};
    muster::exclusive_scan(b, s, again, Op{});
    out(6, again[2]);
    out(7, muster::reduce(muster::policy::shuffle, b, s, mine, Op{}).value());
    out(8, muster::broadcast<0>(b, s, mine).value());
    out(9, muster::broadcast(b, s, mine, told_rank % static_cast<int>(muster::num_threads(b))).value());
  }

  static bool expected(int k, std::vector<cell<T>> const& held, int rank, group_facts const& facts, T& out) {
    if (k == 1) k = 0;
    if (k < 8) return model::expected(k, held, rank, facts, out);
    out = held[k == 8 ? 0 : static_cast<std::size_t>(told_rank) % held.size()].value;
    return true;
  }
};

template <class Body, class Dims>
struct on_block {
  using value = typename Body::value;
  struct shared {
    muster::block_storage<value, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, int threads, cell<value> const* in, cell<value>* results) const {
    int const thread = muster::thread_rank(block);
    result_writer<value> const out{results, threads, thread};
    Body::run(block, s.meeting, in[thread].value, out);
  }
};

// Every thread's results against the model of a group that is the whole block.
template <class Body>
void compare_with_model(std::string const& about, std::vector<cell<typename Body::value>> const& in, std::vector<cell<typename Body::value>> const& got) {
  using value = typename Body::value;
  differences found(about + ", " + type_name<value>());
  auto const names = Body::names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (std::size_t thread = 0; thread < in.size(); ++thread) {
      value expected = in[thread].value;
      if (!Body::expected(static_cast<int>(k), in, static_cast<int>(thread), group_facts{}, expected)) FAIL("the model does not know " << names[k]);
      found.expect_same_bytes(names[k], static_cast<int>(thread), expected, got[k * in.size() + thread].value);
    }
  }
  check(found);
}

template <class Body, class Dims>
void run_on_block(machine const& on, Dims dims) {
  using value = typename Body::value;
  int const threads = static_cast<int>(dims.shape().volume());
  std::vector<cell<value>> in;
  for (int thread = 0; thread < threads; ++thread) in.push_back({Body::input(thread)});
  auto const source = on.memory(in);
  auto target = on.memory(std::vector<cell<value>>(in.size() * Body::names().size(), cell<value>{value_of<value>(987654321)}));
  std::string const about = on.name() + ", " + name_of(dims);
  INFO(about);
  on.run(muster::grid_dims(1), dims, on_block<Body, Dims>{}, threads, source.data(), target.data());
  compare_with_model<Body>(about, in, target.to_vector());
}

// Every pair of a shape and a body.
template <class Shapes, class Bodies>
void run_blocks(machine const& on, Shapes shapes, Bodies bodies) {
  hana::for_each(shapes, [&](auto dims) {
    hana::for_each(bodies, [&](auto body) { run_on_block<typename decltype(body)::type>(on, dims); });
  });
}

}  // namespace block_tests
