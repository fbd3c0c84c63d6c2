// expect: muster: a fold needs an associative operator with an identity
#include <muster/muster.hpp>

namespace difference_in_a_scan {

struct minus {
  MUSTER_FN int operator()(int a, int b) const { return a - b; }
};

MUSTER_FN int running(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(tile, v, minus{});
#else
  return muster::inclusive_scan(tile, -v, muster::plus{});
#endif
}

}  // namespace difference_in_a_scan
