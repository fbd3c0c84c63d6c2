// expect: muster::launch: the kernel object goes to the GPU byte by byte; it must be trivially copyable
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace token_kept_in_a_kernel {

struct kernel {
  muster::tile<8> tile;
  MUSTER_FN void operator()(auto, int* out) const { *out = muster::thread_rank(tile); }
};
struct plain_kernel {
  int width;
  MUSTER_FN void operator()(auto, int* out) const { *out = width; }
};

inline void run(kernel const& keeps_token, int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, keeps_token, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, plain_kernel{keeps_token.tile.width}, out);
#endif
}

}  // namespace token_kept_in_a_kernel
