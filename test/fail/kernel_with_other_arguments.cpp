// expect: muster::launch: the kernel cannot be called with these arguments
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace kernel_with_other_arguments {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, *out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace kernel_with_other_arguments
