// Everything a kernel needs: tokens, narrowing, primitives, policies of the library's own, and algorithms of a warp, a block and a cluster.
// Launching is launch.hpp; CUDA's 16-bit types are half.hpp; comparison through CUB and cooperative groups is policy/cub.hpp and policy/cooperative_groups.hpp;
// function objects of other libraries are interop.hpp.
#pragma once

#include <muster/algorithm/block_broadcast.hpp>
#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_reduce_to.hpp>
#include <muster/algorithm/block_scan.hpp>
#include <muster/algorithm/block_softmax.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_without_storage.hpp>
#include <muster/algorithm/cluster_broadcast.hpp>
#include <muster/algorithm/cluster_reduce.hpp>
#include <muster/algorithm/cluster_reduce_to.hpp>
#include <muster/algorithm/cluster_scan.hpp>
#include <muster/algorithm/cluster_softmax.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/cluster_without_storage.hpp>
#include <muster/algorithm/incomplete_call.hpp>
#include <muster/algorithm/incomplete_fold.hpp>
#include <muster/algorithm/missing_algorithm.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/algorithm/scan.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/atomic_ref.hpp>
#include <muster/config.hpp>
#include <muster/core/asked_of_another_group.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/grid.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/narrowing.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/rank_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/warp.hpp>
#include <muster/core/with.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/redux.hpp>
#include <muster/policy/shuffle.hpp>
#include <muster/primitive/copy_async.hpp>
#include <muster/primitive/incomplete_exchange.hpp>
#include <muster/primitive/invoke_one.hpp>
#include <muster/primitive/shuffle.hpp>
#include <muster/primitive/vote.hpp>
