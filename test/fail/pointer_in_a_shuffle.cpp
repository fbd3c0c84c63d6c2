// expect: muster: a pointer read from another lane is rarely what is meant
#include <muster/muster.hpp>

namespace pointer_in_a_shuffle {

MUSTER_FN int* neighbours(muster::tile<8> tile, int* mine) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor<1>(tile, mine);
#else
  return muster::broadcast<0>(tile, mine);
#endif
}

}  // namespace pointer_in_a_shuffle
