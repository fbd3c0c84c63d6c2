// Asks addr2line.
#include "racecheck/source_lines.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace muster::racecheck {
namespace {

// addr2line's "file:line" for a call and for those that it was inlined into, from the innermost.
std::string answer_for(void const* address) {
  Dl_info module{};
  link_map* loaded = nullptr;
  if (dladdr1(address, &module, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) == 0 || loaded == nullptr) return "";
  std::string const name = loaded->l_name != nullptr && *loaded->l_name != '\0' ? loaded->l_name : "/proc/" + std::to_string(getpid()) + "/exe";
  if (name.find('\'') != std::string::npos) return "";
  char where[32];
  std::snprintf(where, sizeof where, "0x%lx", static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(address) - loaded->l_addr - 1));
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const pipe(popen(("addr2line -i -e '" + name + "' " + where + " 2>/dev/null").c_str(), "r"), &pclose);
  std::string text;
  char part[512];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe.get()) != nullptr) text += part;
  return text;
}

// "file:line" or "file:line (discriminator 1)" in parts; line 0 for "??:0" and the like.
struct source_line {
  std::string file;
  int line = 0;
};
source_line parsed(std::string const& text) {
  std::size_t const colon = text.rfind(':', text.find(" (discriminator"));
  if (colon == std::string::npos || text.starts_with("??")) return {};
  return {text.substr(0, colon), static_cast<int>(std::strtol(text.c_str() + colon + 1, nullptr, 10))};
}

source_line outside_the_library(std::string const& answer) {
  source_line first;
  for (std::size_t begin = 0; begin < answer.size();) {
    std::size_t const end = answer.find('\n', begin);
    source_line const each = parsed(answer.substr(begin, end - begin));
    begin = end == std::string::npos ? answer.size() : end + 1;
    if (each.line == 0) continue;
    bool const is_of_a_library = each.file.find("/include/muster/") != std::string::npos || each.file.starts_with("/usr/");
    if (!is_of_a_library) return each;
    if (first.line == 0) first = each;
  }
  return first;
}

}  // namespace

site line_of(void const* address) {
  static std::mutex access;
  static std::map<void const*, site> known;
  static std::set<std::string> files;  // which sites point into
  std::lock_guard const guard(access);
  auto const [place, is_new] = known.try_emplace(address);
  if (!is_new) return place->second;
  source_line const found = outside_the_library(answer_for(address));
  if (found.line != 0) {
    place->second.file = files.insert(found.file).first->c_str();
    place->second.line = found.line;
  }
  return place->second;
}

}  // namespace muster::racecheck
