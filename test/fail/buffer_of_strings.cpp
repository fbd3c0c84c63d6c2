// expect: muster::buffer<T>: T is copied byte by byte; it must be trivially copyable
#include <string>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace buffer_of_strings {

inline std::size_t words() {
#ifdef MUSTER_MISTAKE
  muster::buffer<std::string> const names(muster::on_emulator(), 4);
#else
  muster::buffer<char> const names(muster::on_emulator(), 4);
#endif
  return names.size();
}

}  // namespace buffer_of_strings
