// expect: muster::launch: this kernel argument owns something and cannot be copied to the machine; pass what it owns by address, such as buffer.data()
#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace buffer_as_kernel_argument {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(muster::buffer<int>& out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel{}, out.data());
#endif
}

}  // namespace buffer_as_kernel_argument
