// expect: muster::buffer<T>(target, size), (target, values): the first argument says on which machine the memory is
#include <muster/buffer.hpp>

namespace buffer_without_a_target {

inline muster::buffer<float> made() {
#ifdef MUSTER_MISTAKE
  return muster::buffer<float>(128);
#else
  return muster::buffer<float>(muster::on_emulator(), 128);
#endif
}

}  // namespace buffer_without_a_target
