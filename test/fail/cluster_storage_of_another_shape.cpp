// expect: muster: this storage was declared for a cluster of another shape
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cluster_storage_of_another_shape {

using muster::block_dims, muster::cluster_dims;

struct kernel {
  struct shared {
#ifdef MUSTER_MISTAKE
    muster::cluster_storage<float, cluster_dims<2>, block_dims<64>> fold;
#else
    muster::cluster_storage<float, cluster_dims<4>, block_dims<64>> fold;
#endif
  };
  MUSTER_FN void operator()(auto block, shared& s, float* out) const {
    auto const cluster = muster::this_cluster(block);
    out[muster::thread_rank(cluster)] = muster::reduce(cluster, s.fold, 1.0f, muster::plus{});
  }
};

inline void run(float* out) { muster::launch(muster::on_emulator(), muster::grid_dims(4), cluster_dims<4>{}, block_dims<64>{}, kernel{}, out); }

}  // namespace cluster_storage_of_another_shape
