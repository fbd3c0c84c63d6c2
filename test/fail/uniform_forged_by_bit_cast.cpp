// expect(g++): no matching function for call to
// expect(clang++): no matching function for call to
// expect(nvcc): no instance of function template "std::bit_cast" matches
#include <bit>

#include <muster/muster.hpp>

namespace uniform_forged_by_bit_cast {

using group = muster::tile<32>;

inline int twice(int v) {
#ifdef MUSTER_MISTAKE
  return 2 * std::bit_cast<muster::uniform<int, group>>(v).value();
#else
  return 2 * std::bit_cast<int>(v);
#endif
}

}  // namespace uniform_forged_by_bit_cast
