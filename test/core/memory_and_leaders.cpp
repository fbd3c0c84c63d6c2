// What goes through memory: sync orders it among the members, leaders write for their tile and hand out pointers. And which tile of the warp one is in.
#include "support/on_members.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace memory_and_leaders {

using namespace test;

constexpr int most_threads = 128;

// One word a thread, in the block's memory.
template <class Kind>
struct exchange {
  struct shared {
    int word[most_threads];
    int of_leader[most_threads];
  };
  static constexpr int results = 6;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    auto const store = [&](int k, int value) { out[k * Kind::threads + thread] = value; };
    s.word[thread] = -1;
    s.of_leader[thread] = -1;
    muster::sync(block);
    Kind::enter(block, [&](auto g) {
      int const rank = muster::thread_rank(g), count = muster::num_threads(g);
      int const next = muster::shuffle(g, thread, (rank + 1) % count);
      // Twice around: what was written before a sync is read after it, and not overwritten before the next.
      s.word[thread] = 10 * thread;
      muster::sync(g);
      store(0, s.word[next]);
      muster::sync(g);
      s.word[next] = thread;
      muster::sync(g);
      store(1, s.word[thread]);
      // The leader writes for its tile.
      int const slot = muster::broadcast<0>(g, thread);
      muster::invoke_one(g, [&] { s.of_leader[slot] = 1000 + thread; });
      muster::sync(g);
      store(2, s.of_leader[slot]);
      // A pointer from the leader, through which every member writes its own word.
      int* const base = muster::invoke_one_broadcast(g, [&] { return out + 3 * Kind::threads; });
      base[thread] = rank;
      int const* const leaders = muster::broadcast<0>(g, static_cast<int const*>(&s.of_leader[thread]));
      store(4, *leaders);
      store(5, muster::meta_group_rank(g).value() + 100 * static_cast<int>(muster::meta_group_size(g)));
    });
  }
};

template <class Kind>
void check_exchange(machine const& on) {
  std::size_t const threads = static_cast<std::size_t>(Kind::threads);
  auto target = on.memory(std::vector<int>(threads * exchange<Kind>::results, -5));
  on.run_in_matrix(Kind::shape(), exchange<Kind>{}, target.data());
  auto const got = target.to_vector();
  std::vector<int> wanted(got.size(), -5);
  int const width = Kind::facts.width;
  for (auto const& tile : tiles_of<Kind>()) {
    int const count = static_cast<int>(tile.size());
    for (int rank = 0; rank < count; ++rank) {
      int const thread = tile[static_cast<std::size_t>(rank)];
      auto const at = [&](int k) -> int& { return wanted[static_cast<std::size_t>(k) * threads + static_cast<std::size_t>(thread)]; };
      at(0) = 10 * tile[static_cast<std::size_t>((rank + 1) % count)];
      at(1) = tile[static_cast<std::size_t>((rank + count - 1) % count)];
      at(2) = at(4) = 1000 + tile[0];
      at(3) = rank;
      int const lanes = Kind::tiles_end_with_the_block && Kind::threads - thread / 32 * 32 < 32 ? Kind::threads - thread / 32 * 32 : 32;
      at(5) = thread % 32 / width + 100 * ((lanes + width - 1) / width);
    }
  }
  INFO(on.name() << ", " << Kind::name());
  CHECK(got == wanted);
}

// Ragged warps count the tiles that there are; all others those of a whole warp.
template <class Kind, bool Ragged>
struct counted : Kind {
  static constexpr bool tiles_end_with_the_block = Ragged;
};

auto const kinds = hana::tuple_t<counted<known_lanes<32, 0xffffffff>, false>, counted<known_lanes<8, 0xffffffff>, false>, counted<known_lanes<32, 0x40020219>, false>,
                                 counted<known_lanes<8, 0x3f3f3f3f>, false>, counted<known_lanes<1, 0xffffffff>, false>, counted<own_tiles<4, 8>, false>,
                                 counted<whole_block<32, 45>, true>, counted<whole_block<8, 100>, true>, counted<unknown_block<16, 7, 5, 2>, true>,
                                 counted<branch_sides<32>, false>, counted<branch_sides<8>, false>, counted<loop_survivors<32, 45>, false>, counted<nested_branches<16>, false>>;

TEST_CASE("members exchange words through memory, and leaders write for their tile") {
  for_each_machine_of_matrix([](machine const& on) { hana::for_each(kinds, [&](auto kind) { check_exchange<typename decltype(kind)::type>(on); }); });
}

}  // namespace memory_and_leaders
