// expect: muster::match_any/match_all compare bytes, and this type may have padding
#include <muster/muster.hpp>

namespace padded_type_in_match_any {

struct padded {
  int key;
  short kind;
};
struct packed {
  int key;
  int kind;
};

MUSTER_FN int equal(muster::tile<8> tile, padded v) {
#ifdef MUSTER_MISTAKE
  return muster::match_any(tile, v).count();
#else
  return muster::match_any(tile, packed{v.key, v.kind}).count();
#endif
}

}  // namespace padded_type_in_match_any
