// expect: muster::copy_async(g, to, from, count): only objects of trivially copyable type are copied as bytes
#include <string>

#include <muster/muster.hpp>

namespace copy_of_strings {

#ifdef MUSTER_MISTAKE
using value = std::string;
#else
using value = float;
#endif

inline void copy(muster::block<muster::block_dims<64>> block, value* shared, value const* from) { muster::copy_async(block, shared, from, 10).wait(block); }

}  // namespace copy_of_strings
