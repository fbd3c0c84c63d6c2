// A reduction gives the same bits in every member, also where rounding, the sign of zero or a NaN depends on the order of folding.
#include <cmath>
#include <limits>

#include "support/on_members.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace same_bits {

using namespace test;

// Input of the given sort; results are the bits of the fold.
enum class sort { rounding, negative_zeros, zeros_of_both_signs, some_nan, only_nan };

template <class Op, sort Sort>
struct bits_of_reduction {
  using value = float;
  static std::vector<std::string> names() { return {"reduce", "reduce by shuffle", "inclusive_scan at the last rank"}; }
  static float input(int thread) {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    switch (Sort) {
      case sort::rounding: return static_cast<float>(static_cast<std::int32_t>(scrambled(static_cast<std::uint64_t>(thread)))) * 1e-3f;
      case sort::negative_zeros: return -0.0f;
      case sort::zeros_of_both_signs: return choice(thread, 2) == 0 ? 0.0f : -0.0f;
      case sort::some_nan: return choice(thread, 3) == 0 ? nan : static_cast<float>(thread);
      case sort::only_nan: return nan;
    }
    return 0;
  }
  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, float const mine, Out const& out) {
    out(0, muster::reduce(g, mine, Op{}).value());
    out(1, muster::reduce(muster::policy::shuffle, g, mine, Op{}).value());
    float const last = muster::inclusive_scan(g, mine, Op{});
    out(2, muster::shuffle(g, last, static_cast<int>(muster::num_threads(g)) - 1));
  }
};

template <class Kind, class Body>
void same_bits_in_every_member(machine const& on) {
  std::vector<cell<float>> in;
  for (int thread = 0; thread < Kind::threads; ++thread) in.push_back({Body::input(thread)});
  auto const source = on.memory(in);
  auto target = on.memory(std::vector<cell<float>>(in.size() * Body::names().size()));
  on.run_in_matrix(Kind::shape(), on_members<Kind, Body>{}, source.data(), target.data());
  auto const got = target.to_vector();
  differences found(on.name() + ", " + Kind::name());
  for (int k = 0; k < static_cast<int>(Body::names().size()); ++k)
    for (auto const& tile : tiles_of<Kind>()) {
      float const first = got[static_cast<std::size_t>(k * Kind::threads + tile[0])].value;
      for (int thread : tile) {
        float const here = got[static_cast<std::size_t>(k * Kind::threads + thread)].value;
        if (std::isnan(first) && std::isnan(here)) continue;  // payloads may differ
        found.expect_same_bytes(Body::names()[static_cast<std::size_t>(k)], thread, first, here);
      }
    }
  check(found);
}

TEST_CASE("every member holds the same bits") {
  auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<32, 0x7ff>, known_lanes<8, 0x3f3f3f3f>, known_lanes<32, 0x40020219>, known_lanes<4, 0x77777777>,
                                   whole_block<32, 45>, branch_sides<32>>;
  auto const bodies = hana::tuple_t<bits_of_reduction<muster::plus, sort::rounding>, bits_of_reduction<muster::plus, sort::negative_zeros>,
                                    bits_of_reduction<muster::maximum, sort::zeros_of_both_signs>, bits_of_reduction<muster::minimum, sort::some_nan>,
                                    bits_of_reduction<muster::maximum, sort::only_nan>>;
  for_each_machine_of_matrix([&](machine const& on) {
    hana::for_each(kinds, [&](auto kind) {
      hana::for_each(bodies, [&](auto body) { same_bits_in_every_member<typename decltype(kind)::type, typename decltype(body)::type>(on); });
    });
  });
}

}  // namespace same_bits
