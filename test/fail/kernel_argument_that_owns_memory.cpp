// expect: muster::launch: kernel arguments go to the GPU byte by byte
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace kernel_argument_that_owns_memory {

struct memory {
  int* data;
  ~memory() { data = nullptr; }
};
struct kernel {
  MUSTER_FN void operator()(auto block, auto out) const { keep(out, muster::thread_rank(block)); }
  MUSTER_FN static void keep(int* out, int v) { *out = v; }
  MUSTER_FN static void keep(memory const&, int) {}
};

inline void run(memory const& owner) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, owner);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel{}, owner.data);
#endif
}

}  // namespace kernel_argument_that_owns_memory
