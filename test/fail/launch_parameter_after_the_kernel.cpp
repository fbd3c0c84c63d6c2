// expect: muster::launch: cooperative, cluster_dims and dynamic_shared_size stand before the kernel
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace launch_parameter_after_the_kernel {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(8), muster::block_dims<64>{}, kernel{}, out, muster::dynamic_shared_size{64});
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(8), muster::block_dims<64>{}, muster::dynamic_shared_size{64}, kernel{}, out);
#endif
}

}  // namespace launch_parameter_after_the_kernel
