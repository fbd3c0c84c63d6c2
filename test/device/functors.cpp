// Scale, bias, mask and causal mask as load functors, a factor as a store functor, against the same arithmetic in float64.
#include "device/support.hpp"

using namespace device_tests;

namespace functor_tests {

// Attention: scores times a scale, plus a bias for each column.
struct scaled_and_biased {
  float scale;
  float const* bias;
  MUSTER_FN float operator()(float score, long long, long long column) const { return score * scale + bias[column]; }
};

// Row r of a square sees columns 0 to r.
struct causal {
  long long queries;
  MUSTER_FN float operator()(float score, long long row, long long column) const { return column <= row % queries ? score : muster::numeric<float>::lowest(); }
};

// Bytes of a mask: 0 hides a value. Says so if it is asked about a value that the matrix does not have.
struct masked_by {
  unsigned char const* keeps;
  long long rows, columns;
  int* asked_beyond;
  MUSTER_FN float operator()(float score, long long row, long long column) const {
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
      *asked_beyond = 1;
      return score;
    }
    return keeps[row * columns + column] != 0 ? score : muster::numeric<float>::lowest();
  }
};

// What dropout leaves: every third result, and that times 3.
struct thinned {
  MUSTER_FN float operator()(float result, long long row, long long column) const { return (row + column) % 3 == 0 ? result * 3 : 0.0f; }
};

template <class Target, class Load, class Store, class HostLoad, class HostStore>
std::string compare_with(Target const& target, long long rows, long long columns, int offset, int pad, Load load, Store store, HostLoad host_load, HostStore host_store) {
  long long const stride = columns + pad;
  std::vector<float> in(static_cast<std::size_t>(rows * stride + offset)), out(in.size(), -7.0f);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(content_at<float>(content::random, 0, static_cast<long long>(i), 1));
  auto const in_buffer = muster::buffer<float>(target, in);
  auto out_buffer = muster::buffer<float>(target, out);
  device::softmax<muster::empty_row::zero>(target, in_buffer.data() + offset, out_buffer.data() + offset, rows, columns, {stride, stride}, load, store);
  muster::wait(target);
  auto const got = out_buffer.to_vector();
  for (long long r = 0; r < rows; ++r) {
    std::vector<double> x(static_cast<std::size_t>(columns));
    double largest = -infinity, sum = 0;
    for (long long c = 0; c < columns; ++c) x[c] = host_load(static_cast<double>(in[offset + r * stride + c]), r, c), largest = std::max(largest, x[c]);
    for (double v : x) sum += std::exp(v - largest);
    for (long long c = 0; c < columns; ++c) {
      double const expected = host_store(largest == -infinity ? 0.0 : std::exp(x[c] - largest) / sum, r, c), value = got[offset + r * stride + c];
      if (!(std::abs(value - expected) <= 4e-6 * expected + 1e-38))
        return place{rows, columns}.text() + ", row " + std::to_string(r) + ", column " + std::to_string(c) + ": expected " + std::to_string(expected) + ", got " +
               std::to_string(value);
    }
  }
  return "";
}

double unchanged(double y, long long, long long) { return y; }

// Sizes for each way to hold a row.
template <class F>
void for_each_size(F const& f) {
  for (long long const columns : {7, 64, 129, 1000, 4100}) f(40ll, columns, 0, 0);
  for (long long const columns : {63, 1023}) f(40ll, columns, 1, 0);
  for (long long const columns : {7, 17, 100}) f(40ll, columns, 1, 1);
  f(2ll, 300000ll, 0, 0);
}

TEST_CASE("a load functor scales and biases") {
  for_each_target([](char const* name, auto target) {
    std::vector<float> bias(300000);
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i % 17) / 8 - 1;
    auto const on_target = muster::buffer<float>(target, bias);
    for_each_size([&](long long rows, long long columns, int offset, int pad) {
      INFO(name);
      auto const expected = [&](double v, long long, long long c) { return v * 0.125 + bias[c]; };
      std::string const found = compare_with(target, rows, columns, offset, pad, scaled_and_biased{0.125f, on_target.data()}, device::as_is{}, expected, unchanged);
      CHECK(found == "");
    });
  });
}

TEST_CASE("a load functor hides what is not to be seen, causally or by a mask; a store functor changes results") {
  for_each_target([](char const* name, auto target) {
    for_each_size([&](long long rows, long long columns, int offset, int pad) {
      INFO(name);
      auto const seen = [&](double v, long long r, long long c) { return c <= r % columns ? v : -infinity; };
      auto const kept = [](double y, long long r, long long c) { return (r + c) % 3 == 0 ? 3 * y : 0.0; };
      std::string const found = compare_with(target, rows, columns, offset, pad, causal{columns}, thinned{}, seen, kept);
      CHECK(found == "");
      std::vector<unsigned char> keeps(static_cast<std::size_t>(rows * columns));
      for (std::size_t i = 0; i < keeps.size(); ++i) keeps[i] = static_cast<long long>(i) / columns % 5 != 4 && scrambled(i) % 3 != 0;  // every fifth row hides all
      auto const on_target = muster::buffer<unsigned char>(target, keeps);
      auto asked_beyond = muster::buffer<int>(target, std::vector<int>{0});
      auto const unhidden = [&](double v, long long r, long long c) { return keeps[r * columns + c] != 0 ? v : -infinity; };
      std::string const of_mask = compare_with(target, rows, columns, offset, pad, masked_by{on_target.data(), rows, columns, asked_beyond.data()}, device::as_is{}, unhidden, unchanged);
      CHECK(of_mask == "");
      CHECK(asked_beyond.to_vector() == std::vector<int>{0});
    });
  });
}

}  // namespace functor_tests
