// What the type system itself says of tokens, of uniform values and of held ones: none can be made, forged or assigned. Checked where this file is compiled; that a token
// is no constant needs a program that must not compile (test/fail/token_constexpr.cpp).
#include <bit>
#include <concepts>
#include <type_traits>
#include <utility>

#include <muster/muster.hpp>

namespace tokens_cannot_be_forged {

inline constexpr muster::lane_set low{0x0000ffff};
struct some_brand;
struct other_brand;

using full_warp = muster::tile<32>;
using eights = muster::tile<8>;
using half = muster::tile<32, muster::lanes<low>>;
using own = muster::tile<8, muster::own_tile<8>>;
using ragged = muster::tile<32, muster::ragged>;
using some = muster::tile<16, muster::dynamic_lanes<some_brand>>;
using block = muster::block<muster::block_dims<64>>;
using unknown_block = muster::block<muster::dynamic_block_dims>;

template <class Token, class... From>
concept made_from = requires(From... from) { Token(from...); } || requires(From... from) { Token{from...}; };

template <class Token, class From>
concept forged_from = requires(From from) { std::bit_cast<Token>(from); };

template <class Token>
concept token_as_promised =
    !std::default_initializable<Token>             // comes from the library alone
    && !made_from<Token, muster::lane_set>         // not from a mask
    && !made_from<Token, unsigned>                 //
    && !std::is_aggregate_v<Token>                 //
    && !std::is_trivially_copyable_v<Token>        // or bytes would make one
    && !forged_from<Token, char>                   //
    && !forged_from<Token, unsigned>               //
    && !std::is_copy_assignable_v<Token>           // a name means one group
    && !std::is_move_assignable_v<Token>           //
    && std::copy_constructible<Token>              // goes by value
    && std::is_final_v<Token>                      // and nothing else passes for it
    && !std::convertible_to<Token, unsigned>;      // and is not a mask

static_assert(token_as_promised<full_warp>);
static_assert(token_as_promised<eights>);
static_assert(token_as_promised<half>);
static_assert(token_as_promised<own>);
static_assert(token_as_promised<ragged>);
static_assert(token_as_promised<some>);
static_assert(token_as_promised<block>);
static_assert(token_as_promised<unknown_block>);

// The concepts above can fail: a plain value is all that a token is not.
static_assert(!token_as_promised<muster::lane_set> && !token_as_promised<unsigned>);
static_assert(made_from<muster::lane_set, unsigned> && forged_from<muster::lane_set, unsigned>);

// One token does not become another: neither of another width nor of other members.
static_assert(!made_from<eights, full_warp> && !made_from<full_warp, eights>);
static_assert(!made_from<full_warp, half> && !made_from<half, full_warp>);
static_assert(!made_from<full_warp, ragged> && !made_from<own, eights> && !made_from<eights, own>);
static_assert(!made_from<full_warp, block> && !made_from<block, unknown_block>);
static_assert(made_from<full_warp, full_warp>);

// The two sides of a branch, and branches with different bodies, have different types.
template <class Body, bool Side, class Parent = full_warp>
using side = muster::tile<32, muster::dynamic_lanes<muster::detail::side_of<Parent, Body, Side>>>;
static_assert(!made_from<side<some_brand, true>, side<some_brand, false>>);
static_assert(!made_from<side<some_brand, true>, side<other_brand, true>>);

// A uniform value is not made from bytes either, whatever it holds.
struct point {
  float x, y;
};
template <class T, class Group>
concept uniform_as_promised = !std::is_trivially_copyable_v<muster::uniform<T, Group>> && !forged_from<muster::uniform<T, Group>, T> && forged_from<T, T> &&
                              sizeof(muster::uniform<T, Group>) == sizeof(T);
static_assert(uniform_as_promised<int, full_warp> && uniform_as_promised<bool, full_warp> && uniform_as_promised<point, full_warp>);
static_assert(uniform_as_promised<int, eights> && uniform_as_promised<bool, eights> && uniform_as_promised<point, eights> && uniform_as_promised<float*, block>);

// So do nested branches, tiles and loops, even where a named functor is the body of all.
template <class Outer, class Inner>
inline constexpr bool differ = !std::is_same_v<Outer, Inner> && !made_from<Inner, Outer> && !made_from<Outer, Inner>;
struct named_body {};
template <class Parent>
using under_branch = decltype(muster::detail::narrow_to<named_body, true>(std::declval<Parent>(), low));
template <class Parent>
using in_each_tile = decltype(muster::detail::narrow_to_tile<named_body>(std::declval<Parent>()));
template <class Parent>
using in_loop = decltype(muster::detail::narrow_to<muster::detail::loop_brand<named_body, named_body>, true>(std::declval<Parent>(), low));
static_assert(differ<under_branch<full_warp>, under_branch<under_branch<full_warp>>>);
static_assert(differ<under_branch<half>, under_branch<full_warp>>);
static_assert(differ<in_loop<full_warp>, in_loop<in_loop<full_warp>>>);
static_assert(differ<in_loop<full_warp>, in_loop<under_branch<full_warp>>>);
using scattered = muster::tile<8, muster::lanes<muster::lane_set{0x0f0f}>>;
using scattered_too = muster::tile<8, muster::lanes<muster::lane_set{0x070f}>>;
static_assert(differ<in_each_tile<scattered>, in_each_tile<scattered_too>>);
// Tiles of a branch are not branches of tiles.
static_assert(differ<under_branch<eights>, decltype(muster::tiled_partition<8>(std::declval<under_branch<full_warp>>()))>);

// A held value is not made of bytes either.
using held = muster::held_by<0, int, full_warp>;
static_assert(!std::is_trivially_copyable_v<held> && !forged_from<held, int> && !made_from<held, int> && !std::default_initializable<held>);
static_assert(std::copy_constructible<held> && !std::is_copy_assignable_v<held>);
#if MUSTER_ON_DEVICE
static_assert(sizeof(held) == sizeof(int));  // where it was born is the emulator's to know
#endif

// A token with members known at compile time is empty, any other is its mask.
static_assert(std::is_empty_v<full_warp> && std::is_empty_v<eights> && std::is_empty_v<half> && std::is_empty_v<block>);
static_assert(sizeof(own) == 4 && sizeof(ragged) == 4 && sizeof(some) == 4);

}  // namespace tokens_cannot_be_forged
