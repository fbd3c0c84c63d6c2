// cluster_dims, and placed_dims: what the token of a block knows beyond the block's own shape, the cluster it is in and whether all blocks
// of the grid run at once.
#pragma once

#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/launch_limits.hpp>

MUSTER_BEGIN

namespace detail {

template <unsigned X, unsigned Y, unsigned Z>
struct cluster_dimensions_are_possible {
  static_assert(trouble_with_cluster({X, Y, Z}) == nullptr, "muster::cluster_dims<X, Y, Z>: a cluster has 1 to 16 blocks");
  static constexpr bool value = true;
};

}  // namespace detail

// How many blocks a cluster has, in each direction of the grid. 8 in all run on every GPU of compute capability 9.0 and newer, 16 on some:
// the launch says where not.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
struct cluster_dims {
  static_assert(detail::cluster_dimensions_are_possible<X, Y, Z>::value);
  static constexpr int count = static_cast<int>(X * Y * Z);
  MUSTER_FN static constexpr extent shape() { return {X, Y, Z}; }
};

// The blocks are in no cluster.
struct no_cluster {
  static constexpr int count = 0;
  MUSTER_FN static constexpr extent shape() { return {0, 0, 0}; }
};

// A block's shape, block_dims or dynamic_block_dims, with what the launch said of its company. It stands in the type of the block's token
// where plain dimensions stand in that of a block without any; what is declared for a shape (block_storage) is declared for Shape.
template <class Shape, class Cluster, bool IsCooperative>
struct placed_dims : Shape {
  using shape_type = Shape;
  using cluster_type = Cluster;
  static constexpr bool is_cooperative = IsCooperative;
};

namespace detail {

template <class Dims>
struct company_of {
  using shape_type = Dims;
  using cluster_type = no_cluster;
  static constexpr bool is_cooperative = false;
};
template <class Shape, class Cluster, bool IsCooperative>
struct company_of<placed_dims<Shape, Cluster, IsCooperative>> : placed_dims<Shape, Cluster, IsCooperative> {};

// The shape alone.
template <class Dims>
using plain_dims = typename company_of<Dims>::shape_type;
template <class Dims>
using cluster_type_of = typename company_of<Dims>::cluster_type;

// What a launch's token is made with: plain where there is nothing to add.
template <class Shape, class Cluster, bool IsCooperative>
struct dims_in_company {
  using type = placed_dims<Shape, Cluster, IsCooperative>;
};
template <class Shape>
struct dims_in_company<Shape, no_cluster, false> {
  using type = Shape;
};

template <class T>
inline constexpr bool is_cluster_dims = false;
template <unsigned X, unsigned Y, unsigned Z>
inline constexpr bool is_cluster_dims<cluster_dims<X, Y, Z>> = true;

}  // namespace detail

MUSTER_END
