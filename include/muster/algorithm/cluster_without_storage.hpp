// The errors of a cluster's algorithm called without its storage.
#pragma once

#include <type_traits>

#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Dims, class Second>
struct cluster_meets_in_a_storage {
  static_assert(is_cluster_storage<Second>,
                "muster: the blocks of a cluster meet in shared memory: declare muster::cluster_storage<T, Cluster, Dims> in the kernel's "
                "`shared` and pass it after the cluster, reduce(cluster, shared.fold, v, op); or pass the block or a tile, if only they are meant");
  static constexpr bool value = true;
};

template <class T>
concept no_cluster_storage = !is_cluster_storage<std::remove_cvref_t<T>>;

// A result that fits where the right one would, so that the one error is the only one.
template <class Dims, class Second>
MUSTER_FN uniform<int, cluster<Dims>> refuse_without_cluster_storage() {
  static_assert(cluster_meets_in_a_storage<Dims, std::remove_cvref_t<Second>>::value);
  return mint::make<uniform<int, cluster<Dims>>>(0);
}

}  // namespace detail

// Folds and scans, without a policy and with one.
template <class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto reduce(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto reduce(Policy, cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <int Rank, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto reduce_to(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <int Rank, detail::policy Policy, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto reduce_to(Policy, cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto inclusive_scan(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto inclusive_scan(Policy, cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto exclusive_scan(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <detail::policy Policy, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto exclusive_scan(Policy, cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}

// Softmax and its relatives.
template <empty_row Empty = empty_row::nan, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto softmax(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <empty_row Empty = empty_row::nan, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto log_softmax(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto log_sum_exp(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}

// Broadcasts.
template <class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto broadcast(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}
template <int Rank, class Dims, detail::no_cluster_storage Second, class... Args>
MUSTER_FN auto broadcast(cluster<Dims>, Second const&, Args const&...) {
  return detail::refuse_without_cluster_storage<Dims, Second>();
}

MUSTER_END
