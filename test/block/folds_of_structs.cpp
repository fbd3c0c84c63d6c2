// Values of a user's own: of many words, without a default, with an operator that does not commute.
#include "on_blocks.hpp"
#include "support/stretch.hpp"

namespace block_tests {

using stretch = test::stretch<std::int32_t>;
using test::join;

template <class Dims>
struct join_all {
  struct shared {
    muster::block_storage<stretch, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, std::int32_t* out) const {
    int const thread = muster::thread_rank(block);
    stretch const mine(thread, thread + 1, 1);
    stretch const all = muster::reduce(block, s.meeting, mine, join{}).value();
    stretch const up_to_own = muster::inclusive_scan(block, s.meeting, mine, join{});
    stretch const before = muster::exclusive_scan(block, s.meeting, mine, join{});
    stretch const told = muster::broadcast(block, s.meeting, mine, 5).value();
    stretch const results[4] = {all, up_to_own, before, told};
    for (int k = 0; k < 4; ++k) {
      out[12 * thread + 3 * k] = results[k].first;
      out[12 * thread + 3 * k + 1] = results[k].last;
      out[12 * thread + 3 * k + 2] = results[k].state;
    }
  }
};

template <class Dims>
void check_joined(machine const& on, Dims dims) {
  int const threads = static_cast<int>(dims.shape().volume());
  auto out = on.memory(std::vector<std::int32_t>(static_cast<std::size_t>(12 * threads), -7));
  on.run(muster::grid_dims(1), dims, join_all<Dims>{}, out.data());
  std::vector<std::int32_t> expected;
  for (int t = 0; t < threads; ++t) {
    bool const is_first = t == 0;
    for (int v : {0, threads, 1, 0, t + 1, 1, 0, is_first ? 0 : t, is_first ? 0 : 1, 5, 6, 1}) expected.push_back(v);
  }
  INFO(on.name() << ", " << name_of(dims));
  CHECK(expected == out.to_vector());
}

TEST_CASE("structs without a default join in thread order") {
  using muster::block_dims;
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(block_dims<32>{}, block_dims<33>{}, block_dims<64>{}, block_dims<180>{}, block_dims<512>{}, block_dims<1000>{}, muster::dynamic_block_dims{77}),
                   [&](auto dims) { check_joined(on, dims); });
  });
}

// Values of 32 bytes, whose totals lie apart in shared memory so that they meet in no bank.
struct eight {
  std::int32_t v[8];
};
struct add_eight {
  static constexpr bool is_commutative = false;
  MUSTER_FN eight operator()(eight const& a, eight const& b) const {
    eight sum{};
    for (int i = 0; i < 8; ++i) sum.v[i] = a.v[i] + b.v[i];
    return sum;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return {};
  }
};

template <class Dims>
struct add_all {
  struct shared {
    muster::block_storage<eight, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, std::int32_t* out) const {
    int const thread = muster::thread_rank(block);
    eight mine{};
    for (int i = 0; i < 8; ++i) mine.v[i] = thread * i + 1;
    eight const results[3] = {muster::reduce(block, s.meeting, mine, add_eight{}).value(), muster::inclusive_scan(block, s.meeting, mine, add_eight{}),
                              muster::exclusive_scan(block, s.meeting, mine, add_eight{})};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 8; ++i) out[24 * thread + 8 * k + i] = results[k].v[i];
  }
};

template <class Dims>
void check_added(machine const& on, Dims dims) {
  int const threads = static_cast<int>(dims.shape().volume());
  auto out = on.memory(std::vector<std::int32_t>(static_cast<std::size_t>(24 * threads), -7));
  on.run(muster::grid_dims(1), dims, add_all<Dims>{}, out.data());
  std::vector<std::int32_t> expected;
  auto const sum_of = [](int count, int i) { return count * (count - 1) / 2 * i + count; };
  for (int t = 0; t < threads; ++t)
    for (int count : {threads, t + 1, t})
      for (int i = 0; i < 8; ++i) expected.push_back(sum_of(count, i));
  INFO(on.name() << ", " << name_of(dims));
  CHECK(expected == out.to_vector());
}

TEST_CASE("structs of 32 bytes are added up in every shape") {
  using muster::block_dims;
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(block_dims<64>{}, block_dims<180>{}, block_dims<1000>{}, muster::dynamic_block_dims{77}), [&](auto dims) { check_added(on, dims); });
  });
}

// Broadcasts of every size, and of a pointer: from the last warp, then from the first.
template <class T, class Dims>
struct tell {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, cell<T> const* in, cell<T>* out) const {
    int const thread = muster::thread_rank(block);
    out[2 * thread].value = muster::broadcast(block, s.meeting, in[thread].value, 40).value();
    out[2 * thread + 1].value = muster::broadcast<3>(block, s.meeting, in[thread].value).value();
  }
};
struct tell_where {
  struct shared {
    muster::block_storage<int*, muster::block_dims<45>> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    int* const seventh = muster::broadcast<7>(block, s.meeting, out + thread).value();
    out[thread] = static_cast<int>(seventh - out);
  }
};

TEST_CASE("broadcasts of values of every size, and of a pointer") {
  for_each_machine([](machine const& on) {
    hana::for_each(hana::tuple_t<bytes<1>, bytes<2>, bytes<3>, bytes<5>, bytes<8>, bytes<12>, bytes<16>, bytes<40>, colour, mixed, bool, double>, [&](auto type) {
      using T = typename decltype(type)::type;
      std::vector<cell<T>> in;
      for (int t = 0; t < 45; ++t) in.push_back({value_of<T>(static_cast<std::uint64_t>(t))});
      auto const source = on.memory(in);
      auto out = on.memory(std::vector<cell<T>>(90, cell<T>{value_of<T>(99)}));
      on.run(muster::grid_dims(1), muster::block_dims<45>{}, tell<T, muster::block_dims<45>>{}, source.data(), out.data());
      differences found(on.name() + ", " + type_name<T>());
      auto const got = out.to_vector();
      for (int t = 0; t < 45; ++t) {
        found.expect_same_bytes("broadcast from rank 40", t, in[40].value, got[static_cast<std::size_t>(2 * t)].value);
        found.expect_same_bytes("broadcast<3>", t, in[3].value, got[static_cast<std::size_t>(2 * t + 1)].value);
      }
      check(found);
    });
    auto out = on.memory(std::vector<int>(45, -1));
    on.run(muster::grid_dims(1), muster::block_dims<45>{}, tell_where{}, out.data());
    INFO(on.name());
    CHECK(out.to_vector() == std::vector<int>(45, 7));
  });
}

}  // namespace block_tests
