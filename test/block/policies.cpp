// Block algorithms by a policy: the library's own, a user's, and on a GPU CUB's and cooperative groups'.
#include <string>
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups_block.hpp>
#include <muster/policy/cub_block.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace block_policies {

using namespace test;
namespace hana = boost::hana;

// A policy of a user's: shuffles, and it folds in 1000 whenever it is asked, so that results tell how many warps it folded.
struct telling_policy {
  static constexpr char const* name() { return "telling"; }
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return true;
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, muster::site where) {
    return op(muster::policy::shuffle_policy::reduce(g, v, op, where), T(1000));
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group g, T const& v, Op const& op, muster::site where) {
    return muster::policy::shuffle_policy::inclusive_scan(g, v, op, where);
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan(Group g, T const& v, Op const& op, muster::site where) {
    return muster::policy::shuffle_policy::exclusive_scan(g, v, op, where);
  }
};

template <class T, class Dims>
using own_storage = muster::block_storage<T, Dims>;

template <class Policy, class Storage, bool Scans, int N>
struct folds_by {
  using T = typename Storage::value_type;
  struct shared {
    Storage meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, T const* in, T* out) const {
    int const thread = muster::thread_rank(block), threads = muster::num_threads(block);
    T values[N], again[N];
    for (int i = 0; i < N; ++i) values[i] = again[i] = in[thread * N + i];
    out[thread] = muster::reduce(Policy{}, block, s.meeting, values, muster::plus{});
    out[threads + thread] = muster::reduce(Policy{}, block, s.meeting, values[0], muster::maximum{});
    if constexpr (Scans) {
      out[2 * threads + thread] = muster::inclusive_scan(Policy{}, block, s.meeting, values[0], muster::plus{});
      out[3 * threads + thread] = muster::exclusive_scan(Policy{}, block, s.meeting, values[0], muster::plus{});
      muster::inclusive_scan(Policy{}, block, s.meeting, values, muster::plus{});
      muster::exclusive_scan(Policy{}, block, s.meeting, again, muster::plus{});
      out[4 * threads + thread] = values[N - 1];
      out[5 * threads + thread] = again[N - 1];
    }
  }
};

template <class Policy, template <class, class> class Storage, class T, bool Scans, class Dims>
void check_policy(machine const& on, Dims dims, T each_warp_adds = 0) {
  constexpr int n = 3;
  int const threads = static_cast<int>(dims.shape().volume());
  auto const at = [&](int k, int thread) { return static_cast<std::size_t>(k * threads + thread); };
  std::vector<T> in;
  for (int i = 0; i < n * threads; ++i) in.push_back(static_cast<T>(static_cast<int>(scrambled(static_cast<std::uint64_t>(i)) % 201) - 100));
  std::vector<T> expected(static_cast<std::size_t>((Scans ? 6 : 2) * threads));
  T total = 0, greatest = in[0], running = 0, running_of_three = 0;
  for (T const v : in) total = total + v;
  for (int t = 0; t < threads; ++t) greatest = in[static_cast<std::size_t>(n * t)] > greatest ? in[static_cast<std::size_t>(n * t)] : greatest;
  for (int t = 0; t < threads; ++t) {
    auto const mine = [&](int i) { return in[static_cast<std::size_t>(n * t + i)]; };
    expected[at(0, t)] = total + each_warp_adds * static_cast<T>((threads + 31) / 32);
    expected[at(1, t)] = each_warp_adds > greatest ? each_warp_adds : greatest;
    if (!Scans) continue;
    expected[at(3, t)] = running;
    running = running + mine(0);
    expected[at(2, t)] = running;
    running_of_three = running_of_three + mine(0) + mine(1);
    expected[at(5, t)] = running_of_three;
    running_of_three = running_of_three + mine(2);
    expected[at(4, t)] = running_of_three;
  }
  auto const source = on.memory(in);
  auto out = on.memory(std::vector<T>(expected.size(), T(-7)));
  on.run(muster::grid_dims(1), dims, folds_by<Policy, Storage<T, Dims>, Scans, n>{}, source.data(), out.data());
  INFO(on.name() << ", " << Policy::name() << ", " << threads << " threads, " << type_name<T>());
  CHECK(expected == out.to_vector());
}

auto const shapes = hana::make_tuple(muster::block_dims<32>{}, muster::block_dims<100>{}, muster::block_dims<256>{}, muster::block_dims<32, 17>{}, muster::dynamic_block_dims{70});

TEST_CASE("block folds by the library's policies and by a user's") {
  for_each_machine([](machine const& on) {
    hana::for_each(shapes, [&](auto dims) {
      check_policy<muster::policy::shuffle_policy, own_storage, int, true>(on, dims);
      check_policy<muster::policy::redux_policy, own_storage, int, false>(on, dims);
    });
    check_policy<telling_policy, own_storage, int, false>(on, muster::block_dims<256>{}, 1000);
    check_policy<telling_policy, own_storage, double, false>(on, muster::block_dims<100>{}, 1000);
    check_policy<telling_policy, own_storage, int, false>(on, muster::dynamic_block_dims{600}, 1000);
  });
}

TEST_CASE("policies of other libraries say on the emulator that they need a GPU") {
  auto const message_of = [](auto const& run) {
    try {
      run();
    } catch (muster::emulator::kernel_error const& error) {
      return std::string(error.what());
    }
    return std::string("it ran");
  };
  machine const on = emulators().front();
  CHECK(message_of([&] { check_policy<muster::policy::cub_policy, muster::policy::cub_block_storage, int, true>(on, muster::block_dims<64>{}); }).find("policy::cub needs a GPU") !=
        std::string::npos);
  CHECK(message_of([&] {
          check_policy<muster::policy::cooperative_groups_policy, muster::policy::cooperative_groups_block_storage, int, true>(on, muster::block_dims<64>{});
        }).find("policy::cooperative_groups needs a GPU") != std::string::npos);
}

#if defined(__CUDACC__)
TEST_CASE("block folds by CUB and by cooperative groups on a GPU") {
  if (!muster::has_device()) SKIP("there is no GPU here");
  machine const on = machine::gpu();
  hana::for_each(hana::make_tuple(muster::block_dims<20>{}, muster::block_dims<100>{}, muster::block_dims<8, 8, 4>{}, muster::block_dims<1024>{}), [&](auto dims) {
    check_policy<muster::policy::cub_policy, muster::policy::cub_block_storage, int, true>(on, dims);
    check_policy<muster::policy::cub_policy, muster::policy::cub_block_storage, double, true>(on, dims);
  });
  hana::for_each(hana::make_tuple(muster::block_dims<64>{}, muster::block_dims<16, 16>{}, muster::block_dims<1024>{}), [&](auto dims) {
    check_policy<muster::policy::cooperative_groups_policy, muster::policy::cooperative_groups_block_storage, int, true>(on, dims);
    check_policy<muster::policy::cooperative_groups_policy, muster::policy::cooperative_groups_block_storage, double, true>(on, dims);
  });
}
#endif

}  // namespace block_policies
