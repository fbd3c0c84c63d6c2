// expect(g++): no matching function for call to
// expect(clang++): no matching function for call to
// expect(nvcc): no instance of function template "std::bit_cast" matches
#include <bit>

#include <muster/muster.hpp>

namespace block_token_forged_by_bit_cast {

inline auto whole_block() {
#ifdef MUSTER_MISTAKE
  return std::bit_cast<muster::block<muster::block_dims<64>>>('x');
#else
  return muster::this_block<muster::block_dims<64>>();
#endif
}

}  // namespace block_token_forged_by_bit_cast
