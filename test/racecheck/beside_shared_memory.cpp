// An access beside a block's shared memory, to read or to write, is found where it is made.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/launch.hpp>
#include <muster/muster.hpp>

using Catch::Matchers::ContainsSubstring;
using muster::emulator::finding;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

namespace {

struct at_an_index {
  struct shared {
    int values[8];
  };
  static constexpr int line_of_write = __LINE__ + 4, line_of_read = __LINE__ + 6;
  MUSTER_FN void operator()(auto block, shared& s, int index, bool writes, int* out) const {
    if (muster::thread_rank(block) != 37) return;
    int* const values = s.values;
    if (writes) values[index] = 1;
    // What is read there is told of alike.
    else *out = values[index];
  }
};

std::vector<finding> findings_of(int index, bool writes, schedule order) {
  int out = 0;
  std::vector<finding> found;
  muster::launch(muster::on_emulator({.order = order, .findings = &found}), muster::grid_dims(1), muster::block_dims<64>{}, at_an_index{}, index, writes, &out);
  return found;
}

constexpr schedule all_schedules[] = {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep};

}  // namespace

TEST_CASE("the lane, the line and the byte of an access beside shared memory are told") {
  for (schedule const order : all_schedules)
    for (bool const writes : {true, false})
      for (int const index : {-2, 8, 200}) {
        auto const found = findings_of(index, writes, order);
        REQUIRE(!found.empty());
        INFO(found.front().text);
        CHECK(found.size() == (writes ? 2u : 1u));  // that bytes were changed shows again when the block has ended
        for (finding const& each : found) CHECK(each.kind == finding_kind::shared_memory_overrun);
        CHECK(found.front().where.line == (writes ? at_an_index::line_of_write : at_an_index::line_of_read));
        CHECK(found.front().warp == 1);
        CHECK(found.front().lanes == muster::lane_set::single(5));
        CHECK_THAT(found.front().text, ContainsSubstring((writes ? "write" : "read") + std::string(" of 4 bytes by lane 5")) &&
                                           ContainsSubstring("`shared` has 32 bytes, and byte " + std::to_string(4 * index) + " is used"));
      }
}
TEST_CASE("the first and the last element of shared memory are its own") {
  for (schedule const order : all_schedules)
    for (bool const writes : {true, false})
      for (int const index : {0, 7}) CHECK(findings_of(index, writes, order).empty());
}
