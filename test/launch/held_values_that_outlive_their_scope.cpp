// Values that outlive their scope: the emulator reports their use, with lanes and line, under every schedule; and what other members than the holder have.
#include <cstddef>
#include <cstdint>
#include <new>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#include "support/findings.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace held_values_that_outlive_their_scope {

using namespace test;
using muster::lane_set;
using muster::emulator::finding_kind;

// Raw storage for one held value, whatever its type.
struct storage {
  alignas(16) unsigned char bytes[64];
  void* object = nullptr;

  template <class Held>
  MUSTER_FN void keep(Held const& value) {
    static_assert(sizeof(Held) <= sizeof bytes);
    object = new (static_cast<void*>(bytes)) Held(value);
  }
  template <class Held>
  MUSTER_FN Held& kept() const {
    return *static_cast<Held*>(object);
  }
};

struct held_over_a_trip {
  static constexpr int line = __LINE__ + 12;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int trip = 0;
    storage place;
    muster::loop_while(
        warp, [&](auto) { return trip <= muster::thread_rank(warp); },
        [&](auto remaining) {
          using held = decltype(muster::reduce_to<0>(remaining, 1, muster::plus{}));
          if (trip++ == 0) {
            place.keep(muster::reduce_to<0>(remaining, 1, muster::plus{}));
          } else {
            out[muster::thread_rank(block)] = place.template kept<held>().broadcast(remaining);
          }
        });
  }
};
struct held_in_another_scope {
  static constexpr int line = __LINE__ + 10;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    bool again = false;
    storage place;
    auto const body = [&](auto some) {
      using held = decltype(muster::reduce_to<0>(some, 1, muster::plus{}));
      if (!again) {
        place.keep(muster::reduce_to<0>(some, 1, muster::plus{}));
      } else {
        muster::only_rank<0>(some, muster::with(place.template kept<held>()), [&](auto, int& sum) { out[0] = sum; });
      }
    };
    muster::branch(warp, muster::thread_rank(warp) < 8, body);
    again = true;
    muster::branch(warp, muster::thread_rank(warp) < 8, body);
  }
};

TEST_CASE("a held value that is kept beyond its scope is reported") {
  expect_finding<held_over_a_trip>(finding_kind::held_value_expired, lane_set{0xfffffffe}, "held_by");
  expect_finding<held_in_another_scope>(finding_kind::held_value_expired, lane_set{1}, "left the scope");
}

// What other members than the holder have is undefined: on the emulator, not the sum.
struct what_the_others_hold {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    auto const held = muster::reduce_to<3>(tile, 1, muster::plus{});
    out[muster::thread_rank(block)] = muster::detail::holder_access::of(held);
  }
};

TEST_CASE("only the holder of a sum has it") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    muster::emulator::options options;
    options.seed = seed;
    muster::buffer<int> out(muster::on_emulator(), 64);
    muster::launch(muster::on_emulator(options), muster::grid_dims(1), muster::block_dims<64>{}, what_the_others_hold{}, out.data());
    auto const got = out.to_vector();
    for (std::size_t thread = 0; thread < 64; ++thread) CHECK((got[thread] == 8) == (thread % 8 == 3));
  }
}

}  // namespace held_values_that_outlive_their_scope
