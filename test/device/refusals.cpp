// Arguments that cannot be: a launch_error says why, and nothing is written.
#include "device/support.hpp"

#include <catch2/matchers/catch_matchers_string.hpp>

using namespace device_tests;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class Call>
std::string refusal(Call const& call) {
  try {
    call();
  } catch (muster::launch_error const& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_CASE("arguments that cannot be are refused with the reason, and nothing is written") {
  auto const target = muster::on_emulator();
  std::vector<float> values(1000, 1.0f), results(1000, -7.0f);
  float const* in = values.data();
  float* out = results.data();
  auto const softmax = [&](auto from, auto to, long long rows, long long columns, device::row_strides strides = {}) {
    return refusal([&] { device::softmax(target, from, to, rows, columns, strides); });
  };
  CHECK_THAT(softmax(in, out, -1, 10), ContainsSubstring("muster::device::softmax") && ContainsSubstring("negative") && ContainsSubstring("-1 x 10"));
  CHECK_THAT(softmax(in, out, 10, -1), ContainsSubstring("negative"));
  CHECK_THAT(softmax(in, out, 10, 10, {9, 10}), ContainsSubstring("input's rows overlap") && ContainsSubstring("stride 9"));
  CHECK_THAT(softmax(in, out, 10, 10, {10, 9}), ContainsSubstring("output's rows overlap"));
  CHECK_THAT(softmax(in, out, 10, 10, {-20, 10}), ContainsSubstring("overlap"));
  CHECK_THAT(softmax(static_cast<float const*>(nullptr), out, 10, 10), ContainsSubstring("input is a null pointer"));
  CHECK_THAT(softmax(in, static_cast<float*>(nullptr), 10, 10), ContainsSubstring("output is a null pointer"));
  CHECK_THAT(softmax(in, out, 1ll << 40, 1ll << 40), ContainsSubstring("more bytes than an address can count"));
  auto const* crooked = reinterpret_cast<float const*>(reinterpret_cast<char const*>(in) + 2);
  CHECK_THAT(softmax(crooked, out, 10, 10), ContainsSubstring("input's address") && ContainsSubstring("4 bytes"));
  CHECK_THAT(softmax(static_cast<float const*>(out), out + 1, 10, 10), ContainsSubstring("overlap"));
  CHECK_THAT(softmax(static_cast<float const*>(out), out, 10, 10, {10, 20}), ContainsSubstring("overlap"));
  CHECK_THAT(softmax(static_cast<float const*>(out), reinterpret_cast<double*>(out), 10, 10), ContainsSubstring("overlap"));
  CHECK_THAT(refusal([&] { device::log_softmax(target, in, out, 10, 10, {5, 10}); }), ContainsSubstring("muster::device::log_softmax"));
  CHECK_THAT(refusal([&] { device::log_sum_exp(target, static_cast<float const*>(out), out, 10, 10); }),
             ContainsSubstring("muster::device::log_sum_exp") && ContainsSubstring("overlap"));
  CHECK(results == std::vector<float>(1000, -7.0f));
}

TEST_CASE("matrices without rows or columns are nothing to do, whatever their pointers") {
  float const* const in = nullptr;
  float* const out = nullptr;
  CHECK_NOTHROW(device::softmax(muster::on_emulator(), in, out, 0, 10));
  CHECK_NOTHROW(device::softmax(muster::on_emulator(), in, out, 10, 0));
  CHECK_NOTHROW(device::log_sum_exp(muster::on_emulator(), in, out, 10, 0));
}

TEST_CASE("matrices may lie side by side in the same rows") {
  for_each_target([](char const* name, auto target) {
    INFO(name);
    std::vector<float> rows(30 * 24, 1.0f);
    auto both = muster::buffer<float>(target, rows);
    device::softmax(target, static_cast<float const*>(both.data()), both.data() + 12, 30, 12, {24, 24});
    muster::wait(target);
    auto const got = both.to_vector();
    long long wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) wrong += std::abs(got[i] - (i % 24 < 12 ? 1.0f : 1.0f / 12)) > 1e-7f;
    CHECK(wrong == 0);
  });
}

}  // namespace
