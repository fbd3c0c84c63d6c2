// expect: the cluster's shape is cluster_dims<X, Y, Z>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cooperative_blocks_in_clusters_of_a_block_shape {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline int most(int* out) {
#ifdef MUSTER_MISTAKE
  return muster::max_cooperative_blocks<muster::block_dims<64>>(muster::on_emulator(), muster::block_dims<64>{}, kernel{}, out);
#else
  return muster::max_cooperative_blocks<muster::cluster_dims<4>>(muster::on_emulator(), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace cooperative_blocks_in_clusters_of_a_block_shape
