// A reduction's result has the same bits in every thread, in every run and schedule, though floating-point sums depend on the order of folding: also in the ragged
// last warp, which goes another way than the others.
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace same_bits {

using namespace test;
namespace hana = boost::hana;

// A sum that does not say that it commutes to the bit, so that lanes order their operands.
struct ordered_sum {
  static constexpr bool is_commutative = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return a + b;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(-0.0);
  }
};

template <class T, class Dims>
struct sums {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, T const* in, T* out) const {
    int const thread = muster::thread_rank(block), threads = muster::num_threads(block);
    out[thread] = muster::reduce(block, s.meeting, in[thread], muster::plus{});
    out[threads + thread] = muster::reduce(block, s.meeting, in[thread], ordered_sum{});
    out[2 * threads + thread] = muster::log_sum_exp(block, s.meeting, in[thread]);
  }
};

template <class T, class Dims>
std::vector<T> run_sums(machine const& on, Dims dims) {
  auto const threads = static_cast<std::size_t>(dims.shape().volume());
  std::vector<T> in;
  for (std::size_t i = 0; i < threads; ++i) in.push_back(static_cast<T>(static_cast<double>(scrambled(i) >> 12) / (1ull << 52) + 1e-3));
  auto const source = on.memory(in);
  auto out = on.memory(std::vector<T>(3 * threads, T(-7)));
  on.run(muster::grid_dims(1), dims, sums<T, Dims>{}, source.data(), out.data());
  return out.to_vector();
}

template <class T, class Dims>
void check_same_bits(machine const& on, Dims dims) {
  INFO(on.name() << ", " << dims.shape().volume() << " threads, " << type_name<T>());
  auto const got = run_sums<T>(on, dims);
  std::size_t const threads = got.size() / 3;
  int others = 0;
  for (std::size_t i = 0; i < got.size(); ++i) others += same_bytes(got[i], got[i / threads * threads]) ? 0 : 1;
  CHECK(others == 0);
  CHECK(got == run_sums<T>(on, dims));
  // Both operators add: the association is the same too.
  CHECK(same_bytes(got[0], got[threads]));
}

TEST_CASE("a block's sum has the same bits in every thread and run") {
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(muster::block_dims<31>{}, muster::block_dims<33>{}, muster::block_dims<100>{}, muster::block_dims<127>{}, muster::block_dims<150>{}, muster::block_dims<255>{},
                                    muster::block_dims<256>{}, muster::block_dims<500>{}, muster::block_dims<1024>{}, muster::dynamic_block_dims{333}),
                   [&](auto dims) {
                     check_same_bits<float>(on, dims);
                     check_same_bits<double>(on, dims);
                   });
  });
}

}  // namespace same_bits
