// expect: muster::only_rank<R>(group, body): the group is a tile, a block or a cluster
#include <muster/muster.hpp>

namespace one_rank_of_a_grid {

using dims = muster::placed_dims<muster::block_dims<64>, muster::no_cluster, true>;

MUSTER_FN void mark(muster::grid<dims> grid, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_rank<0>(grid, [&](auto) { out[0] = 1; });
#else
  if (muster::thread_rank(grid) == 0) out[0] = 1;
#endif
}

}  // namespace one_rank_of_a_grid
