// expect: muster::launch: the kernel declares 'shared' and does not take it
#include <muster/launch.hpp>

namespace kernel_without_its_shared_storage {

struct kernel {
  struct shared {
    int sum;
  };
#ifdef MUSTER_MISTAKE
  MUSTER_FN void operator()(auto, int* out) const { out[0] = 1; }
#else
  MUSTER_FN void operator()(auto, shared& s, int* out) const { s.sum = out[0]; }
#endif
};

void run(int* out) { muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel{}, out); }

}  // namespace kernel_without_its_shared_storage
