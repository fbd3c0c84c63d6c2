// expect: muster::launch: kernel arguments go to the GPU byte by byte
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace token_in_a_kernel_argument {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out, auto) const { *out = muster::thread_rank(block); }
};
struct carrier {
  muster::tile<8> tile;
  int value;
};

inline void run(carrier carried, int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out, carried);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out, carried.value);
#endif
}

}  // namespace token_in_a_kernel_argument
