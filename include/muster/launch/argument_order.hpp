// The errors of a launch whose arguments are out of order or missing, and of the questions asked before one.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/launch/parameters.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
inline constexpr bool is_target = std::is_same_v<T, emulator_target> || std::is_same_v<T, device_target>;

// The places of a call's arguments: which argument stands in one, and whether it may be left out. Their names appear in the message.
struct target_expected {
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool takes = is_target<T>;
};
struct cooperative_allowed {
  static constexpr bool is_optional = true;
  template <class T>
  static constexpr bool takes = std::is_same_v<T, cooperative_launch>;
};
struct grid_dims_expected {
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool takes = std::is_same_v<T, grid_dims>;
};
struct cluster_dims_expected {
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool takes = is_cluster_dims<T>;
};
struct cluster_dims_allowed : cluster_dims_expected {
  static constexpr bool is_optional = true;
};
struct block_dims_expected {
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool takes = dims_of_a_block<T>;
};
struct dynamic_shared_size_allowed {
  static constexpr bool is_optional = true;
  template <class T>
  static constexpr bool takes = std::is_same_v<T, dynamic_shared_size>;
};
struct kernel_expected {
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool takes = kernel_object<T>;
};
struct nothing;

template <class... Places>
struct places;
using places_of_launch = places<target_expected, cooperative_allowed, grid_dims_expected, cluster_dims_allowed, block_dims_expected,
                                dynamic_shared_size_allowed, kernel_expected>;
using places_of_can_launch_clusters = places<target_expected, cluster_dims_expected, block_dims_expected, kernel_expected>;
using places_of_max_cooperative_blocks = places<target_expected, block_dims_expected, dynamic_shared_size_allowed, kernel_expected>;

template <class Expected, class Found>
struct out_of_place {
  static constexpr bool exists = true;
  using expected = Expected;
  using found = Found;
};
struct none_out_of_place {
  static constexpr bool exists = false;
};

// The first argument that does not stand where it belongs, or whose place is empty. What follows the kernel is the kernel's.
template <class Places, class... Given>
struct first_out_of_place : none_out_of_place {};
template <class Place, class... Rest>
struct first_out_of_place<places<Place, Rest...>>
    : std::conditional_t<Place::is_optional, first_out_of_place<places<Rest...>>, out_of_place<Place, nothing>> {};
template <class Place, class... Rest, class First, class... Given>
struct first_out_of_place<places<Place, Rest...>, First, Given...>
    : std::conditional_t<Place::template takes<First>, first_out_of_place<places<Rest...>, Given...>,
                         std::conditional_t<Place::is_optional, first_out_of_place<places<Rest...>, First, Given...>, out_of_place<Place, First>>> {};

// Other libraries' functions of the same names stay free.
template <class T>
inline constexpr bool belongs_to_a_launch = is_target<T> || is_launch_parameter<T> || std::is_same_v<T, grid_dims> || dims_of_a_block<T>;
template <class Places, class... Given>
concept out_of_order = (belongs_to_a_launch<Given> || ...) && first_out_of_place<Places, Given...>::exists;

// Named arguments carry into the message what was expected and what was found there.
template <class Expected, class Found>
struct launch_has_its_arguments_in_order {
  static_assert(std::is_same_v<Expected, Found>,
                "muster::launch(target, [cooperative,] grid_dims(n), [cluster_dims<4>{},] block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...): "
                "an argument is missing or out of place; the types of this checker say what was expected and what was found there");
  static constexpr bool value = true;
};
template <class Expected, class Found>
struct can_launch_clusters_has_its_arguments_in_order {
  static_assert(std::is_same_v<Expected, Found>,
                "muster::can_launch_clusters(target, cluster_dims<4>{}, block_dims<256>{}, kernel, args...): an argument is missing or out of place; the types "
                "of this checker say what was expected and what was found there");
  static constexpr bool value = true;
};
template <class Expected, class Found>
struct max_cooperative_blocks_has_its_arguments_in_order {
  static_assert(std::is_same_v<Expected, Found>,
                "muster::max_cooperative_blocks(target, block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...), with clusters "
                "max_cooperative_blocks<cluster_dims<4>>(...): an argument is missing or out of place; the types of this checker say what was expected and what "
                "was found there");
  static constexpr bool value = true;
};

// Of a kernel that does not take its arguments.
template <class Arg>
struct launch_parameter_stands_before_the_kernel {
  static_assert(!is_launch_parameter<Arg>,
                "muster::launch: cooperative, cluster_dims and dynamic_shared_size stand before the kernel; what follows it are the kernel's own arguments");
  static constexpr bool value = true;
};

template <class Cluster>
struct cluster_shape_is_dims {
  static constexpr bool is_right = is_cluster_dims<Cluster> || std::is_same_v<Cluster, no_cluster>;
  static_assert(is_right, "muster::can_launch_clusters, max_cooperative_blocks: the cluster's shape is cluster_dims<X, Y, Z>, as the kernel is launched with");
  static constexpr bool value = true;
};

}  // namespace detail

template <class... Given>
  requires detail::out_of_order<detail::places_of_launch, Given...>
void launch(Given const&...) {
  using first = detail::first_out_of_place<detail::places_of_launch, Given...>;
  static_assert(detail::launch_has_its_arguments_in_order<typename first::expected, typename first::found>::value);
}

template <class... Given>
  requires detail::out_of_order<detail::places_of_can_launch_clusters, Given...>
bool can_launch_clusters(Given const&...) {
  using first = detail::first_out_of_place<detail::places_of_can_launch_clusters, Given...>;
  static_assert(detail::can_launch_clusters_has_its_arguments_in_order<typename first::expected, typename first::found>::value);
  return false;
}

template <class Cluster = no_cluster, class... Given>
  requires detail::out_of_order<detail::places_of_max_cooperative_blocks, Given...>
int max_cooperative_blocks(Given const&...) {
  using first = detail::first_out_of_place<detail::places_of_max_cooperative_blocks, Given...>;
  static_assert(detail::max_cooperative_blocks_has_its_arguments_in_order<typename first::expected, typename first::found>::value);
  return 0;
}

MUSTER_END
