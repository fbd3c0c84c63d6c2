// expect: muster::launch: the block's shape is block_dims<X, Y, Z>{} or dynamic_block_dims{x, y, z}
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace block_shape_as_a_number {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), 256, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<256>{}, kernel{}, out);
#endif
}

}  // namespace block_shape_as_a_number
