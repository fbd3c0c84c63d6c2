// Policies that users add: a struct outside the library, used through the same calls as the library's own.
#include "support.hpp"

namespace user_policy_tests {

using namespace policy_test;

namespace user_policy {

// Reductions by a butterfly, scans by shifts, of the library's public shuffles alone.
struct butterfly_policy {
  static constexpr char const* name() { return "butterfly"; }

  // The butterfly begins with the far half, so the order is lost; in groups that are not whole there is nobody at the other end.
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return Op::is_commutative && Group::facts::is_full;
  }

  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, muster::site where) {
    return halve<Group::width / 2>(g, v, op, where);
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group g, T const& v, Op const& op, muster::site where) {
    return double_up<1>(g, v, op, where);
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan(Group g, T const& v, Op const& op, muster::site where) {
    if constexpr (Group::width == 1) return Op::template identity<T>();
    else return muster::shift_up<1>(g, inclusive_scan(g, v, op, where), Op::template identity<T>(), where);
  }

 private:
  template <int X, class Group, class T, class Op>
  MUSTER_FN static T halve(Group g, T const& v, Op const& op, muster::site where) {
    if constexpr (X == 0) return v;
    else return halve<X / 2>(g, op(v, muster::shuffle_xor<X>(g, v, where)), op, where);
  }
  template <int Distance, class Group, class T, class Op>
  MUSTER_FN static T double_up(Group g, T const& v, Op const& op, muster::site where) {
    if constexpr (Distance >= Group::width) {
      return v;
    } else {
      T const before = muster::shuffle_up<Distance>(g, v, where);
      return double_up<2 * Distance>(g, muster::thread_rank(g) < Distance ? v : op(before, v), op, where);
    }
  }
};

// Only reductions, of one operator and type, and no more than that.
struct sums_of_int_policy {
  static constexpr char const* name() { return "sums of int"; }
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return std::is_same_v<Op, muster::plus> && std::is_same_v<T, std::int32_t>;
  }
  // Adds 1000, so that one can see that it was asked.
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, muster::site where) {
    return muster::policy::shuffle_policy::reduce(g, v, op, where) + 1000;
  }
};
inline constexpr sums_of_int_policy sums_of_int{};

}  // namespace user_policy

using namespace user_policy;

static_assert(!has_scans<sums_of_int_policy, muster::plus, std::int32_t, 8> && has_reduce<sums_of_int_policy, muster::plus, std::int32_t, 8>);
static_assert(!has_reduce<sums_of_int_policy, muster::plus, float, 8>);
static_assert(!butterfly_policy::supports<join, stretch, tile<8>>());

// What other algorithms do with a policy that is given to them.
struct through_other_algorithms {
  MUSTER_FN void operator()(auto block, int* sums, float* probabilities) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const lane = muster::thread_rank(block);
    int const values[3] = {lane, 1, 1};
    sums[lane] = muster::reduce(sums_of_int, tile, values, muster::plus{}).value();
    float pair[2] = {static_cast<float>(lane % 5), static_cast<float>(lane % 3)};
    muster::softmax(butterfly_policy{}, tile, pair);
    probabilities[2 * lane] = pair[0];
    probabilities[2 * lane + 1] = pair[1];
  }
};

template <class Target>
void run_other_algorithms(Target const& target) {
  muster::buffer<int> sums(target, 32);
  muster::buffer<float> probabilities(target, 64);
  muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, through_other_algorithms{}, sums.data(), probabilities.data());
  muster::wait(target);
  auto const sum = sums.to_vector();
  auto const probability = probabilities.to_vector();
  for (int first = 0; first < 32; first += 8) {
    double whole = 0;
    for (int lane = first; lane < first + 8; ++lane) whole += std::exp(lane % 5) + std::exp(lane % 3);
    for (int lane = first; lane < first + 8; ++lane) {
      auto const at = static_cast<std::size_t>(lane);
      CHECK(sum[at] == 8 * first + 28 + 16 + 1000);
      CHECK(std::abs(probability[2 * at] - std::exp(lane % 5) / whole) < 1e-5);
      CHECK(std::abs(probability[2 * at + 1] - std::exp(lane % 3) / whole) < 1e-5);
    }
  }
}

TEST_CASE("a user's policy gives the host's folds on the emulator") {
  on_emulator_without_nvcc([](auto target) {
    CHECK(run_types<butterfly_policy>(target, words) == whole_matrix(words));
    CHECK(run_own_types<butterfly_policy>(target) == results_of_an_operator);
  });
}

TEST_CASE("a user's policy gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    CHECK(run_types<butterfly_policy>(target, words) == whole_matrix(words));
    CHECK(run_own_types<butterfly_policy>(target) == results_of_an_operator);
  });
}

TEST_CASE("other algorithms fold by the policy they are given, on the emulator") { run_other_algorithms(muster::on_emulator()); }

TEST_CASE("other algorithms fold by the policy they are given, on a GPU") {
  REQUIRE_A_GPU();
  run_other_algorithms(muster::on_device());
}

}  // namespace user_policy_tests
