// expect(g++): no matching function for call to
// expect(clang++): no matching function for call to
// expect(nvcc): no instance of function template "std::bit_cast" matches
#include <bit>

#include <muster/muster.hpp>

namespace token_forged_by_bit_cast {

inline int count() {
#ifdef MUSTER_MISTAKE
  return std::bit_cast<muster::tile<8, muster::ragged>>(0xffu).all_members().count();
#else
  return std::bit_cast<muster::lane_set>(0xffu).count();
#endif
}

}  // namespace token_forged_by_bit_cast
