// What the tool's tests share: a folder to write in, and running the built program.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace test {

namespace fs = std::filesystem;

// A folder of its own for each test case, empty again afterwards.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "muster_tool_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  scratch_folder(scratch_folder const&) = delete;
  scratch_folder& operator=(scratch_folder const&) = delete;
  ~scratch_folder() { fs::remove_all(path_); }

  fs::path operator/(std::string const& name) const { return path_ / name; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator{path_}, {}); }

 private:
  fs::path path_;
};

inline void put(fs::path const& path, std::string const& bytes) {
  std::ofstream{path, std::ios::binary}.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get(fs::path const& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> words_of(std::string const& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>{in}, {}};
}

// The built program: named by MUSTER_TOOL, as ctest does, else beside this one.
inline fs::path tool_path() {
  char const* const named = std::getenv("MUSTER_TOOL");
  fs::path const path = named != nullptr ? fs::path(named) : fs::read_symlink("/proc/self/exe").parent_path() / "muster";
  if (!fs::exists(path)) SKIP("the tool is not there: " << path.string() << "; build it, or name it in MUSTER_TOOL");
  return path;
}

struct outcome {
  int code;
  std::string out;
  std::string err;
};

// Runs the program; no argument holds a quote.
inline outcome run_tool(std::vector<std::string> const& arguments) {
  scratch_folder folder;
  std::string command = "'" + tool_path().string() + "'";
  for (std::string const& argument : arguments) command += " '" + argument + "'";
  INFO(command);
  int const status = std::system((command + " < /dev/null > '" + (folder / "out").string() + "' 2> '" + (folder / "err").string() + "'").c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), get(folder / "out"), get(folder / "err")};
}

}  // namespace test
