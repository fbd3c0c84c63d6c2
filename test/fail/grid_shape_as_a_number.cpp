// expect: muster::launch: the grid's shape is grid_dims(x, y, z)
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace grid_shape_as_a_number {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), 8, muster::block_dims<64>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(8), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace grid_shape_as_a_number
