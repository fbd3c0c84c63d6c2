// expect: muster: the blocks of a cluster meet in shared memory
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cluster_without_its_storage {

using muster::block_dims, muster::cluster_dims;

struct kernel {
  struct shared {
    muster::cluster_storage<float, cluster_dims<4>, block_dims<64>> fold;
  };
  MUSTER_FN void operator()(auto block, shared& s, float* out) const {
    auto const cluster = muster::this_cluster(block);
#ifdef MUSTER_MISTAKE
    out[muster::thread_rank(cluster)] = muster::reduce(cluster, 1.0f, muster::plus{});
#else
    out[muster::thread_rank(cluster)] = muster::reduce(cluster, s.fold, 1.0f, muster::plus{});
#endif
  }
};

inline void run(float* out) { muster::launch(muster::on_emulator(), muster::grid_dims(4), cluster_dims<4>{}, block_dims<64>{}, kernel{}, out); }

}  // namespace cluster_without_its_storage
