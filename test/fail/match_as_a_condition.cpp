// expect: muster::rank_set: a set of ranks is not a number
#include <muster/muster.hpp>

namespace match_as_a_condition {

MUSTER_FN void same(muster::tile<8> tile, int& v) {
#ifdef MUSTER_MISTAKE
  if (muster::match_all(tile, v)) v = 0;
#else
  if (!muster::match_all(tile, v).empty()) v = 0;
#endif
}

}  // namespace match_as_a_condition
