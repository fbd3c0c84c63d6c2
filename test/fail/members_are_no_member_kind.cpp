// expect: muster::tile<Width, Members>: Members is lanes<S>, own_tile<W>, ragged or dynamic_lanes<Brand>
#include <muster/muster.hpp>

namespace members_are_no_member_kind {

MUSTER_FN int width_of() {
#ifdef MUSTER_MISTAKE
  return muster::tile<8, int>::width;
#else
  return muster::tile<8, muster::ragged>::width;
#endif
}

}  // namespace members_are_no_member_kind
