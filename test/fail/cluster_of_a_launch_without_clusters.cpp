// expect: muster::this_cluster(block): the block was launched without a cluster
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cluster_of_a_launch_without_clusters {

struct kernel {
  MUSTER_FN void operator()(auto block, int*) const { muster::sync(muster::this_cluster(block)); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(4), muster::block_dims<64>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(4), muster::cluster_dims<4>{}, muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace cluster_of_a_launch_without_clusters
