// expect(g++): no matching function for call to
// expect(clang++): no matching function for call to
// expect(nvcc): no instance of function template "std::bit_cast" matches
#include <bit>

#include <muster/muster.hpp>

namespace cluster_token_forged_by_bit_cast {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<2>, false>;

inline int count() {
#ifdef MUSTER_MISTAKE
  return muster::num_threads(std::bit_cast<muster::cluster<dims>>('x'));
#else
  return dims::cluster_type::count * dims::count;
#endif
}

}  // namespace cluster_token_forged_by_bit_cast
