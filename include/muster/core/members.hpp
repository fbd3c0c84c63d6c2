// What is known about the lanes of a warp that execute this code together: the second argument of `tile`.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>

MUSTER_BEGIN

// Exactly the lanes S of the warp, known at compile time: the mask operand is an immediate.
template <lane_set S>
struct lanes {};

// The caller's aligned tile of Width lanes, all of it; where it lies is known at run time.
template <int Width>
struct own_tile {};

// A prefix of the warp whose length follows from the block's dimensions at run time.
struct ragged {};

// Some subset of the parent's lanes, found by a vote. The brand tells the two sides of a branch, and nested branches, apart.
template <class Brand>
struct dynamic_lanes {};

namespace detail {

template <class Members>
inline constexpr bool is_members = false;
template <lane_set S>
inline constexpr bool is_members<lanes<S>> = true;
template <int Width>
inline constexpr bool is_members<own_tile<Width>> = true;
template <>
inline constexpr bool is_members<ragged> = true;
template <class Brand>
inline constexpr bool is_members<dynamic_lanes<Brand>> = true;

template <class Members>
inline constexpr bool is_static = false;
template <lane_set S>
inline constexpr bool is_static<lanes<S>> = true;

template <class Members>
inline constexpr int own_tile_width = 0;
template <int Width>
inline constexpr int own_tile_width<own_tile<Width>> = Width;

template <class Members>
inline constexpr bool is_dynamic = false;
template <class Brand>
inline constexpr bool is_dynamic<dynamic_lanes<Brand>> = true;

template <class Members>
inline constexpr lane_set static_lanes{};
template <lane_set S>
inline constexpr lane_set static_lanes<lanes<S>> = S;

}  // namespace detail

MUSTER_END
