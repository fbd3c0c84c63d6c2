// expect: muster::launch(target, [cooperative,] grid_dims(n), [cluster_dims<4>{},] block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...)
// expect: block_dims_expected
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace launch_with_the_cluster_as_a_number {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(8), 4, muster::block_dims<64>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(8), muster::cluster_dims<4>{}, muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace launch_with_the_cluster_as_a_number
