// What the tests of CUDA's 16-bit types share: the host's arithmetic for them, and inputs.
#pragma once

#include "support.hpp"

#include <muster/half.hpp>

// The host's arithmetic of the 16-bit types: in float, rounded once.
namespace policy_test {

template <class T, unsigned short Infinity>
struct host_math_of_16_bits {
  static T sum(T a, T b) { return T(static_cast<float>(a) + static_cast<float>(b)); }
  static T product(T a, T b) { return T(static_cast<float>(a) * static_cast<float>(b)); }
  static T lesser(T a, T b) { return T(host_math<float>::lesser(static_cast<float>(a), static_cast<float>(b))); }
  static T greater(T a, T b) { return T(host_math<float>::greater(static_cast<float>(a), static_cast<float>(b))); }
  static T number(int n) { return T(static_cast<float>(n)); }
  static T of_bits(unsigned bits) {
    auto const half = static_cast<unsigned short>(bits);
    T value;
    std::memcpy(static_cast<void*>(&value), &half, 2);
    return value;
  }
  static T highest() { return of_bits(Infinity); }
  static T lowest() { return of_bits(Infinity | 0x8000u); }
};
template <class Pair, class T>
struct host_math_of_pair {
  using math = host_math<T>;
  static Pair sum(Pair a, Pair b) { return Pair(math::sum(a.x, b.x), math::sum(a.y, b.y)); }
  static Pair product(Pair a, Pair b) { return Pair(math::product(a.x, b.x), math::product(a.y, b.y)); }
  static Pair lesser(Pair a, Pair b) { return Pair(math::lesser(a.x, b.x), math::lesser(a.y, b.y)); }
  static Pair greater(Pair a, Pair b) { return Pair(math::greater(a.x, b.x), math::greater(a.y, b.y)); }
  static Pair number(int n) { return Pair(math::number(n), math::number(n)); }
  static Pair highest() { return Pair(math::highest(), math::highest()); }
  static Pair lowest() { return Pair(math::lowest(), math::lowest()); }
};
template <>
struct host_math<__half> : host_math_of_16_bits<__half, 0x7c00> {};
template <>
struct host_math<__nv_bfloat16> : host_math_of_16_bits<__nv_bfloat16, 0x7f80> {};
template <>
struct host_math<__half2> : host_math_of_pair<__half2, __half> {};
template <>
struct host_math<__nv_bfloat162> : host_math_of_pair<__nv_bfloat162, __nv_bfloat16> {};

template <class T>
constexpr bool is_pair = sizeof(T) == 4;
template <class T>
struct scalar_of {
  using type = T;
};
template <>
struct scalar_of<__half2> {
  using type = __half;
};
template <>
struct scalar_of<__nv_bfloat162> {
  using type = __nv_bfloat16;
};

// Two sequences, one for each element of a pair, so that elements which change places show.
template <class T, class F>
pattern<T> halves(char const* name, F const& of_lane) {
  using scalar = typename scalar_of<T>::type;
  return {name, values_by<T>([&](int lane) {
            if constexpr (is_pair<T>) return T(scalar(of_lane(lane)), scalar(of_lane(31 - lane)));
            else return scalar(of_lane(lane));
          })};
}

// Sums stay below 256, products are powers of two: exact in both types.
template <class T, class Policy, class Target>
int run_halves(Target const& target) {
  auto const powers = halves<T>("powers of two", [](int lane) { return lane % 5 == 3 ? 2.0f : lane % 7 == 2 ? 0.5f : lane % 6 == 1 ? -1.0f : 1.0f; });
  auto const numbers = halves<T>("numbers of both signs", [](int lane) { return static_cast<float>(lane % 3 == 0 ? -primes[lane % 8] : primes[lane % 6]); });
  auto const zeros = halves<T>("negative zeros", [](int) { return -0.0f; });
  auto const all = halves<T>("special values", [](int lane) {
    float const nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    float const values[] = {1.0f, -0.0f, 0.0f, -infinity, nan, infinity, 3.0f, -2.0f, 0.0f};
    return lane < 16 ? values[lane * 2 % 9] : values[1 + lane % 2];
  });
  return run_matrix<Policy, T, float_operators>(target, {powers, zeros}) + run_matrix<Policy, T, list<muster::plus>>(target, {numbers}) +
         run_matrix<Policy, T, list<muster::minimum, muster::maximum>>(target, {numbers, all});
}

// A type and its pair.
template <class T, class Pair, class Target>
int run_both(Target const& target) {
  using policy = muster::policy::automatic_policy;
  return run_halves<T, policy>(target) + run_halves<Pair, policy>(target);
}
constexpr int results_of_both = 2 * (4 * 2 + 1 + 2 * 2) * results_of_an_operator;

// What a lane's own values come to, with one lane, five, six and seven of them, and the softmax of 4,096 equal values.
template <class T>
struct several_values {
  MUSTER_FN void operator()(auto block, T* folded, T* probability, float* log_sum) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    T const one = T(1.0f);
    T const two_to_11[5] = {T(2048.0f), one, one, one, one};
    folded[lane] = muster::reduce(muster::tiled_partition<1>(warp), two_to_11, muster::plus{}).value();
    T six[6], seven[7];
    for (int i = 0; i < 6; ++i) six[i] = T(static_cast<float>(lane % 4 + i));
    for (int i = 0; i < 7; ++i) seven[i] = T(static_cast<float>(100 - lane - i));
    folded[32 + lane] = muster::reduce(muster::tiled_partition<4>(warp), six, muster::plus{}).value();
    folded[64 + lane] = muster::reduce(warp, seven, muster::minimum{}).value();
    T many[128];
    for (int i = 0; i < 128; ++i) many[i] = one;
    muster::softmax(warp, many);
    probability[lane] = many[lane];
    T const again[2] = {one, one};
    log_sum[lane] = muster::log_sum_exp(warp, again).value();
  }
};

template <class T, class Target>
void run_several(Target const& target) {
  muster::buffer<T> folded(target, 96), probability(target, 32);
  muster::buffer<float> log_sum(target, 32);
  muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, several_values<T>{}, folded.data(), probability.data(), log_sum.data());
  muster::wait(target);
  auto const got = folded.to_vector(), share = probability.to_vector();
  auto const sums = log_sum.to_vector();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if constexpr (std::is_same_v<T, __half>) {
      // As pairs: 2048 + 1 stays 2048, 1 + 1 is 2, together 2050, and the last 1 makes 2051, which rounds to 2052. In order every 1 would be lost.
      CHECK(static_cast<float>(got[lane]) == 2052.0f);
    }
    CHECK(static_cast<float>(got[32 + lane]) == 4 * 15 + 6 * 6);
    CHECK(static_cast<float>(got[64 + lane]) == 100 - 31 - 6);
    CHECK(static_cast<float>(share[lane]) == 1.0f / 4096);  // a sum in 16 bits would stop at 2048, or at 256
    CHECK(std::abs(sums[lane] - (1.0f + std::log(64.0f))) < 1e-5f);
  }
}

}  // namespace policy_test
