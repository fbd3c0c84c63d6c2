// expect(g++): cannot derive from 'final' base 'muster
// expect(clang++): is marked 'final'
// expect(nvcc): a "final" class type cannot be used as a base class
#include <muster/muster.hpp>

namespace class_derived_from_a_block {

using block = muster::block<muster::block_dims<64>>;

#ifdef MUSTER_MISTAKE
struct rows : block {
  MUSTER_FN static int of(block, int v) { return v; }
};
#else
struct rows {
  MUSTER_FN static int of(block b, int v) { return v + muster::thread_rank(b); }
};
#endif

MUSTER_FN inline int own(block b, int v) { return rows::of(b, v); }

}  // namespace class_derived_from_a_block
