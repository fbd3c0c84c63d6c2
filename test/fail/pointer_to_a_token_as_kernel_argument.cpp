// expect: muster::launch: a token is not a kernel argument
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace pointer_to_a_token_as_kernel_argument {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out, auto) const { *out = muster::thread_rank(block); }
};

inline void run(muster::tile<8> tile, int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out, &tile);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out, tile.width);
#endif
}

}  // namespace pointer_to_a_token_as_kernel_argument
