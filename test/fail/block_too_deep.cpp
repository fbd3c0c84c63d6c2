// expect: muster::block_dims<X, Y, Z>: a block has 1 to 1024 threads, at most 64 of them in z
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace block_too_deep {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<1, 1, 128>{}, kernel{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<2, 1, 64>{}, kernel{}, out);
#endif
}

}  // namespace block_too_deep
