// expect: muster: this value is uniform in another group
#include <muster/muster.hpp>

namespace uniforms_of_two_groups_mixed {

MUSTER_FN int total(muster::tile<32> warp, muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return (muster::reduce(warp, v, muster::plus{}) + muster::reduce(tile, v, muster::plus{})).value();
#else
  return muster::reduce(warp, v, muster::plus{}).value() + muster::reduce(tile, v, muster::plus{}).value();
#endif
}

}  // namespace uniforms_of_two_groups_mixed
