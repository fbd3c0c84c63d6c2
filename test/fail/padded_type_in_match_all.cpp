// expect: muster::match_any/match_all compare bytes, and this type may have padding
#include <muster/muster.hpp>

namespace padded_type_in_match_all {

struct padded {
  int key;
  char kind;
};

MUSTER_FN int equal(muster::tile<8> tile, padded v) {
#ifdef MUSTER_MISTAKE
  return muster::match_all(tile, v).count();
#else
  return muster::match_all(tile, v.key).count();
#endif
}

}  // namespace padded_type_in_match_all
