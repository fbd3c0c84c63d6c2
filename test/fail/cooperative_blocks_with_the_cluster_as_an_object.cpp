// expect: muster::max_cooperative_blocks(target, block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...)
// expect: block_dims_expected
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace cooperative_blocks_with_the_cluster_as_an_object {

struct kernel {
  MUSTER_FN void operator()(auto block, int* out) const { *out = muster::thread_rank(block); }
};

inline int most(int* out) {
#ifdef MUSTER_MISTAKE
  return muster::max_cooperative_blocks(muster::on_emulator(), muster::cluster_dims<4>{}, muster::block_dims<64>{}, kernel{}, out);
#else
  return muster::max_cooperative_blocks<muster::cluster_dims<4>>(muster::on_emulator(), muster::block_dims<64>{}, kernel{}, out);
#endif
}

}  // namespace cooperative_blocks_with_the_cluster_as_an_object
