// expect: muster::only<S>(g, body): S names lanes that the group does not have
#include <muster/muster.hpp>

namespace only_outside_its_parent {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void part(muster::tile<32, muster::lanes<low>> half) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{0x00018000}>(half, [](auto some) { muster::sync(some); });
#else
  muster::only<muster::lane_set{0x0000c000}>(half, [](auto some) { muster::sync(some); });
#endif
}

}  // namespace only_outside_its_parent
