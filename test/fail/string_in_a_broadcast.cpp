// expect: muster: only trivially copyable values travel between lanes
#include <muster/muster.hpp>

namespace string_in_a_broadcast {

struct text {
  int length = 0;
  MUSTER_FN text(text const& other) : length(other.length) {}
};

MUSTER_FN int length(muster::tile<8> tile, text name) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(tile, name).value().length;
#else
  return muster::broadcast<0>(tile, name.length);
#endif
}

}  // namespace string_in_a_broadcast
