// expect: muster::can_launch_clusters(target, cluster_dims<4>{}, block_dims<256>{}, kernel, args...)
// expect: block_dims_expected
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace question_about_clusters_without_a_block_shape {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline bool can(int* out) {
#ifdef MUSTER_MISTAKE
  return muster::can_launch_clusters(muster::on_emulator(), muster::cluster_dims<4>{}, kernel{}, out);
#else
  return muster::can_launch_clusters(muster::on_emulator(), muster::cluster_dims<4>{}, muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace question_about_clusters_without_a_block_shape
