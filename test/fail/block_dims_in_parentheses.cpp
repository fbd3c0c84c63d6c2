// expect: muster::block_dims<64>{}: the shape is a constant and stands in angle brackets; a shape known at run time is dynamic_block_dims{64}
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace block_dims_in_parentheses {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims(64), kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace block_dims_in_parentheses
