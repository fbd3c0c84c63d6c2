// expect: muster::launch: whether a kernel begins early is a public constant of type bool
#include <muster/launch.hpp>

namespace kernel_that_says_at_run_time_when_it_begins {

struct kernel {
#ifdef MUSTER_MISTAKE
  bool starts_early = true;
#else
  static constexpr bool starts_early = true;
#endif
  MUSTER_FN void operator()(auto, int* out) const { out[0] = 1; }
};

void run(int* out) { muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel{}, out); }

}  // namespace kernel_that_says_at_run_time_when_it_begins
