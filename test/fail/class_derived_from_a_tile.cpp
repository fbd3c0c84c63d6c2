// expect(g++): cannot derive from 'final' base 'muster
// expect(clang++): is marked 'final'
// expect(nvcc): a "final" class type cannot be used as a base class
#include <muster/muster.hpp>

namespace class_derived_from_a_tile {

#ifdef MUSTER_MISTAKE
struct row : muster::tile<8> {
  MUSTER_FN explicit row(muster::tile<8> tile) : muster::tile<8>(tile) {}
  MUSTER_FN static int first(muster::tile<8>, int v) { return v; }
};
#else
struct row {
  template <muster::tile_of<8> Tile>
  MUSTER_FN static int first(Tile tile, int v) {
    return muster::broadcast<0>(tile, v);
  }
};
#endif

MUSTER_FN inline int first(muster::tile<8> tile, int v) { return row::first(tile, v); }

}  // namespace class_derived_from_a_tile
