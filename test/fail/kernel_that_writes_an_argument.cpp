// expect: muster::launch: the kernel takes an argument by a reference to write to
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace kernel_that_writes_an_argument {

struct kernel {
#ifdef MUSTER_MISTAKE
  MUSTER_FN void operator()(auto block, int& result) const {
    if (muster::thread_rank(block) == 0) result = 1;
  }
#else
  MUSTER_FN void operator()(auto block, int* result) const {
    if (muster::thread_rank(block) == 0) *result = 1;
  }
#endif
};

#ifdef MUSTER_MISTAKE
inline void run(int& result) { muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, result); }
#else
inline void run(int& result) { muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, &result); }
#endif

}  // namespace kernel_that_writes_an_argument
