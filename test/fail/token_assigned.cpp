// expect(g++): use of deleted function
// expect(clang++): overload resolution selected deleted operator
// expect(nvcc): it is a deleted function
#include <muster/muster.hpp>

namespace token_assigned {

MUSTER_FN void wait(muster::tile<8, muster::ragged> mine, muster::tile<8, muster::ragged> other) {
#ifdef MUSTER_MISTAKE
  mine = other;
#else
  auto const copy = other;
  muster::sync(copy);
#endif
  muster::sync(mine);
  muster::sync(other);
}

}  // namespace token_assigned
