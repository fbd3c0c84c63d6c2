// expect: muster::launch: the kernel's 'shared' is larger than 48 KiB
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace shared_storage_beyond_48_kib {

template <int Bytes>
struct kernel {
  struct shared {
    unsigned char byte[Bytes];
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    s.byte[Bytes - 1] = 1;
    *out = s.byte[Bytes - 1] + muster::thread_rank(block);
  }
};

inline void run(int* out) {
#ifdef MUSTER_MISTAKE
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel<49153>{}, out);
#else
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, kernel<49152>{}, out);
#endif
}

}  // namespace shared_storage_beyond_48_kib
