// expect: muster::this_grid(block): the blocks of this launch need not run at once
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace grid_of_a_launch_that_is_not_cooperative {

struct kernel {
  MUSTER_FN void operator()(auto block, int*) const { muster::sync(muster::this_grid(block)); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(4), muster::block_dims<64>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::cooperative, muster::grid_dims(4), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace grid_of_a_launch_that_is_not_cooperative
