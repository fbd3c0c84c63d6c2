// expect: muster::cluster_dims<X, Y, Z>: a cluster has 1 to 16 blocks
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cluster_of_too_many_blocks {

struct kernel {
  MUSTER_FN void operator()(auto block, int*) const { muster::sync(muster::this_cluster(block)); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(32), muster::cluster_dims<32>{}, muster::block_dims<64>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(32), muster::cluster_dims<16>{}, muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace cluster_of_too_many_blocks
