// expect: muster::block_storage<T, Dims>: T is what the threads exchange, a trivially copyable value
#include <string>

#include <muster/muster.hpp>

namespace block_storage_of_strings {

#ifdef MUSTER_MISTAKE
using storage = muster::block_storage<std::string, muster::block_dims<64>>;
#else
using storage = muster::block_storage<char, muster::block_dims<64>>;
#endif

inline unsigned size() { return static_cast<unsigned>(sizeof(storage)); }

}  // namespace block_storage_of_strings
