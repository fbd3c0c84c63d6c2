// expect: muster::launch: the kernel takes its 'shared' by value
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace kernel_that_copies_its_shared_storage {

struct kernel {
  struct shared {
    int first;
  };
#ifdef MUSTER_MISTAKE
  MUSTER_FN void operator()(auto block, shared s, int* out) const {
#else
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
#endif
    if (muster::thread_rank(block) == 0) s.first = 1;
    muster::sync(block);
    out[muster::thread_rank(block)] = s.first;
  }
};

// References of any type are references.
struct generic_kernel {
  using shared = kernel::shared;
  MUSTER_FN void operator()(auto block, auto&& s, int* out) const { kernel{}(block, s, out); }
};

inline void run(int* out) {
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, generic_kernel{}, out);
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out);
}

}  // namespace kernel_that_copies_its_shared_storage
