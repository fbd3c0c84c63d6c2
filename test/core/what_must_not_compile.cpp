// Negative cases that an overload set or a trait shows by itself. Those that end in an error with a text of the library stand in test/fail.
#include <concepts>
#include <type_traits>
#include <utility>

#include <muster/muster.hpp>

namespace what_must_not_compile {

using warp = muster::tile<32>;
using eights = muster::tile<8>;
using ragged = muster::tile<32, muster::ragged>;
using block = muster::block<muster::block_dims<64>>;

// --- values that speak of a group ----------------------------------------------------------------------------------------------------------

template <class Value>
concept value_as_promised = !std::default_initializable<Value>     // comes from a collective
                            && !std::is_aggregate_v<Value>         //
                            && !std::is_copy_assignable_v<Value>   // its type does not show in which scope it is assigned
                            && !std::is_move_assignable_v<Value>   //
                            && std::copy_constructible<Value>;

static_assert(value_as_promised<muster::uniform<int, eights>> && value_as_promised<muster::uniform<bool, warp>>);
static_assert(value_as_promised<muster::uniform<unsigned, block>>);
static_assert(value_as_promised<muster::held_by<0, float, eights>> && value_as_promised<muster::held_by<3, double, ragged>>);
static_assert(!value_as_promised<int>);

template <class Value, class From>
concept made_from = requires(From from) { Value(from); } || requires(From from) { Value{from}; };

static_assert(!made_from<muster::uniform<int, eights>, int>);                 // as_uniform states it
static_assert(!made_from<muster::held_by<0, int, eights>, int>);              // reduce_to gives it
static_assert(!made_from<muster::held_by<0, int, eights>, muster::held_by<1, int, eights>>);
static_assert(!made_from<muster::held_by<0, int, eights>, muster::held_by<0, int, warp>>);
static_assert(!made_from<muster::uniform<int, eights>, muster::held_by<0, int, eights>>);
static_assert(made_from<int, muster::uniform<int, eights>>);                  // the way out needs no word

static_assert(!made_from<muster::rank_set<eights>, unsigned> && !made_from<muster::rank_set<eights>, muster::lane_set>);
static_assert(!made_from<unsigned*, muster::rank_set<eights>>);

// --- operators ------------------------------------------------------------------------------------------------------------------------------

struct minus {
  MUSTER_FN int operator()(int a, int b) const { return a - b; }
};
inline auto const lambda = [](int a, int b) { return a + b; };

static_assert(muster::monoid_for<muster::plus, int> && muster::monoid_for<muster::maximum, double>);
static_assert(!muster::monoid_for<minus, int>);                               // no identity, and not associative
static_assert(!muster::monoid_for<decltype(lambda), int>);                    // no identity
static_assert(!muster::monoid_for<muster::bit_or, float>);
static_assert(!muster::monoid_for<int, int>);

// Qualified as one pleases, and with properties that are no bools.
struct keeps_left {
  static constexpr bool is_commutative = false;
  MUSTER_FN int operator()(int a, int) const& noexcept { return a; }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};
struct commutes_by_function : keeps_left {
  MUSTER_FN static constexpr bool commutes_bitwise() { return false; }
};
struct idempotent_by_number : keeps_left {
  static constexpr int is_idempotent = 1;
};
struct commutative_by_function : keeps_left {
  MUSTER_FN static constexpr bool is_commutative() { return false; }
};
static_assert(muster::monoid_for<keeps_left, int> && !muster::monoid_for<keeps_left, long>);
static_assert(!muster::monoid_for<commutes_by_function, int> && !muster::monoid_for<idempotent_by_number, int>);
static_assert(!muster::monoid_for<commutative_by_function, int>);

// --- policies -------------------------------------------------------------------------------------------------------------------------------

static_assert(muster::policy::redux_policy::supports<muster::plus, int, warp>());
static_assert(!muster::policy::redux_policy::supports<muster::plus, float, warp>());
static_assert(!muster::policy::redux_policy::supports<muster::multiplies, int, warp>());
static_assert(!muster::policy::redux_policy::supports<muster::maximum, long long, warp>());

// --- helpers that demand a group ------------------------------------------------------------------------------------------------------------

template <muster::tile_of<8> Tile>
MUSTER_FN void for_eight(Tile) {}
MUSTER_FN inline void for_full_warp(warp) {}

template <class Group>
concept fits_eight = requires(Group group) { for_eight(group); };
template <class Group>
concept fits_full_warp = requires(Group group) { for_full_warp(group); };

static_assert(fits_eight<eights> && fits_eight<muster::tile<8, muster::ragged>> && fits_eight<muster::tile<8, muster::own_tile<8>>>);
static_assert(!fits_eight<warp> && !fits_eight<block> && !fits_eight<int>);
static_assert(fits_full_warp<warp>);
static_assert(!fits_full_warp<ragged> && !fits_full_warp<eights> && !fits_full_warp<muster::tile<32, muster::lanes<muster::lane_set{0xffff}>>>);
static_assert(muster::any_tile<ragged> && muster::any_tile<eights const&> && !muster::any_tile<block> && !muster::any_tile<muster::lane_set>);
static_assert(muster::any_block<block> && !muster::any_block<warp>);

// --- primitives take a group first ----------------------------------------------------------------------------------------------------------

struct nothing {
  MUSTER_FN void operator()(muster::any_tile auto) const {}
};
template <class First>
concept narrows = requires(First first, nothing body) { muster::branch(first, true, body); };

static_assert(narrows<warp>);
static_assert(!narrows<muster::lane_set>);  // a number or a block is refused by a message instead (test/fail/branch_of_a_block.cpp)

}  // namespace what_must_not_compile
