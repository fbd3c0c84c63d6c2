// expect: muster::launch: the kernel's 'shared' is raw storage that no thread constructs
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace shared_storage_with_initial_values {

struct counted {
  int value = 0;
};
struct raw {
  int value;
};
template <class Shared>
struct kernel {
  using shared = Shared;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    s.value = muster::thread_rank(block);
    *out = s.value;
  }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel<counted>{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, kernel<raw>{}, out);
#endif
}

}  // namespace shared_storage_with_initial_values
