// softmax, log_softmax and log_sum_exp where a tile's members are any set: those of others must not enter.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/on_members.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace softmax_of_members {

using namespace test;

struct row {
  using value = float;
  static std::vector<std::string> names() { return {"softmax", "log_softmax", "log_sum_exp"}; }
  static float input(int thread) { return static_cast<float>(choice(thread, 4001) - 2000) / 200.0f; }
  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, float const mine, Out const& out) {
    out(0, muster::softmax(g, mine));
    out(1, muster::log_softmax(g, mine));
    out(2, muster::log_sum_exp(g, mine).value());
  }
};

template <class Kind>
void compare_rows(machine const& on) {
  std::size_t const threads = static_cast<std::size_t>(Kind::threads);
  auto const tiles = tiles_of<Kind>();
  std::vector<cell<float>> in(threads, cell<float>{88.0f});  // lanes outside the group hold by far the largest value
  for (auto const& tile : tiles)
    for (int thread : tile) in[static_cast<std::size_t>(thread)].value = row::input(thread);
  float const untouched = -777.0f;
  auto const source = on.memory(in);
  auto target = on.memory(std::vector<cell<float>>(3 * threads, cell<float>{untouched}));
  on.run_in_matrix(Kind::shape(), on_members<Kind, row>{}, source.data(), target.data());
  auto const got = target.to_vector();

  std::vector<double> wanted(3 * threads, untouched), bound(3 * threads, 0);
  for (auto const& tile : tiles) {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int thread : tile) maximum = std::max(maximum, static_cast<double>(in[static_cast<std::size_t>(thread)].value));
    for (int thread : tile) sum += std::exp(static_cast<double>(in[static_cast<std::size_t>(thread)].value) - maximum);
    double const log_sum = maximum + std::log(sum);
    for (int thread : tile) {
      std::size_t const t = static_cast<std::size_t>(thread);
      double const logarithm = static_cast<double>(in[t].value) - log_sum;
      wanted[t] = std::exp(logarithm);
      wanted[threads + t] = logarithm;
      wanted[2 * threads + t] = log_sum;
      bound[t] = 4e-6 * wanted[t];  // an exponent up to 20 is rounded once, to 1e-6
      bound[threads + t] = bound[2 * threads + t] = 2e-6 * std::max(1.0, std::max(std::abs(logarithm), std::abs(log_sum)));
    }
  }
  differences found(on.name() + ", " + Kind::name());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(static_cast<double>(got[i].value) - wanted[i]) <= bound[i]))
      found.add(row::names()[i / threads], static_cast<int>(i % threads), text_of(wanted[i]), text_of(got[i].value));
  check(found);
}

auto const kinds = hana::tuple_t<known_lanes<32, 0x7ff>, known_lanes<8, 0x3f3f3f3f>, known_lanes<32, 0x40020219>, known_lanes<4, 0x13579bdf>, own_tiles<4, 8>, whole_block<32, 45>,
                                 whole_block<8, 7, 3, 2>, branch_sides<32>, nested_branches<16>, loop_survivors<8, 45>>;

TEST_CASE("softmax takes the members of its tile and no others") {
  for_each_machine_of_matrix([](machine const& on) { hana::for_each(kinds, [&](auto kind) { compare_rows<typename decltype(kind)::type>(on); }); });
}

}  // namespace softmax_of_members
