// expect: muster::only<S>(g, body): S names lanes of the warp, and which lanes this group has is known at run time only
#include <muster/muster.hpp>

namespace only_of_a_block_with_unknown_dimensions {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void part(muster::block<muster::dynamic_block_dims> block) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(muster::this_warp(block), [](auto half) { muster::sync(half); });
#else
  muster::for_warps(block, [](auto warp) { muster::only<low>(warp, [](auto half) { muster::sync(half); }); }, [](auto rest) { muster::sync(rest); });
#endif
}

}  // namespace only_of_a_block_with_unknown_dimensions
