// expect: muster::broadcast<Rank>(cluster, storage, v), reduce_to<Rank>, only_rank<Rank>: the cluster has no thread of this rank
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace broadcast_beyond_the_cluster {

using muster::block_dims, muster::cluster_dims;

struct kernel {
  struct shared {
    muster::cluster_storage<float, cluster_dims<4>, block_dims<64>> told;
  };
  MUSTER_FN void operator()(auto block, shared& s, float* out) const {
    auto const cluster = muster::this_cluster(block);
#ifdef MUSTER_MISTAKE
    out[0] = muster::broadcast<256>(cluster, s.told, 1.0f);
#else
    out[0] = muster::broadcast<255>(cluster, s.told, 1.0f);
#endif
  }
};

inline void run(float* out) {
  muster::launch(muster::on_emulator(), muster::grid_dims(4), cluster_dims<4>{}, block_dims<64>{}, kernel{}, out);
}

}  // namespace broadcast_beyond_the_cluster
