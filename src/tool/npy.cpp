#include "tool/npy.hpp"

#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace muster::tool {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are little-endian and read as they are");

constexpr std::string_view magic = "\x93NUMPY";

// More than any kernel's `int` can index.
constexpr std::uint64_t largest_extent = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(fs::path const& path, std::string const& reason) { throw npy_error(fmt::format("{}: {}", path.string(), reason)); }

struct header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

// The header is the text of a Python dict with the keys descr, fortran_order and shape, in any order.
class header_parser {
public:
  header_parser(fs::path const& path, std::string_view text) : path_(path), text_(text) {}

  header parse() {
    header result;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      std::string const key = quoted();
      expect(':');
      if (key == "descr" && !has_descr) {
        if (peek() != '\'' && peek() != '"') refuse(path_, "holds records; only plain f32, f64 and i32 are read");
        result.descr = quoted();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        result.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        result.shape = tuple();
        has_shape = true;
      } else {
        malformed(fmt::format("unexpected or repeated key '{}'", key));
      }
      if (!accept(',') && peek() != '}') malformed("expected ',' or '}'");
    }
    if (peek() != '\0') malformed("text after the closing brace");
    if (!has_descr || !has_order || !has_shape) malformed("one of descr, fortran_order and shape is missing");
    return result;
  }

private:
  [[noreturn]] void malformed(std::string const& what) const { refuse(path_, fmt::format("malformed .npy header: {}", what)); }

  // The next character that is no space; NUL at the end.
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == text_.size()) return '\0';
    if (text_[at_] == '\0') malformed("a NUL character");
    return text_[at_];
  }

  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) malformed(fmt::format("expected '{}'", c));
  }

  std::string quoted() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') malformed("expected a quoted name");
    auto const end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) malformed("a quoted name does not end");
    std::string result{text_.substr(at_ + 1, end - at_ - 1)};
    at_ = end + 1;
    return result;
  }

  bool boolean() {
    for (std::string_view word : {"True", "False"}) {
      if (peek() == word[0] && text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    }
    malformed("fortran_order is neither True nor False");
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(number());
      if (!accept(',') && peek() != ')') malformed("expected ',' or ')' in shape");
    }
    return result;
  }

  std::size_t number() {
    if (!std::isdigit(static_cast<unsigned char>(peek()))) malformed("shape holds something else than a number");
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > largest_extent) refuse(path_, fmt::format("an extent of the shape is larger than {}", largest_extent));
    }
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote it
    return static_cast<std::size_t>(value);
  }

  fs::path const& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

// A file being read, which knows how much is left of it.
class reader {
public:
  explicit reader(fs::path const& path) : path_(path) {
    std::error_code error;
    auto const status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) refuse(path, "no such file");
    if (error) refuse(path, error.message());
    if (status.type() == fs::file_type::directory) refuse(path, "is a directory");
    if (status.type() != fs::file_type::regular) refuse(path, "is not a regular file");
    left_ = fs::file_size(path, error);
    if (error) refuse(path, error.message());
    errno = 0;
    in_.open(path, std::ios::binary);
    if (!in_) refuse(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  }

  std::uintmax_t left() const { return left_; }

  void read(void* out, std::size_t bytes, char const* what) {
    if (bytes > left_) refuse(path_, fmt::format("truncated: {} needs {} bytes, {} are left", what, bytes, left_));
    in_.read(static_cast<char*>(out), static_cast<std::streamsize>(bytes));
    if (!in_) refuse(path_, fmt::format("reading failed in {}", what));
    left_ -= bytes;
  }

private:
  fs::path const& path_;
  std::ifstream in_;
  std::uintmax_t left_ = 0;
};

std::string read_header_text(fs::path const& path, reader& in) {
  if (in.left() == 0) refuse(path, "is empty");
  char start[6] = {};
  in.read(start, sizeof start, "the magic number");
  if (std::string_view{start, sizeof start} != magic) refuse(path, "not a .npy file: it does not start with \\x93NUMPY");
  unsigned char version[2] = {};
  in.read(version, sizeof version, "the version");
  if (version[0] < 1 || version[0] > 3 || version[1] != 0) {
    refuse(path, fmt::format(".npy version {}.{}; versions 1.0, 2.0 and 3.0 are read", version[0], version[1]));
  }
  unsigned char length[4] = {};
  in.read(length, version[0] == 1 ? 2 : 4, "the header's length");
  std::size_t const bytes = length[0] | std::size_t{length[1]} << 8 | std::size_t{length[2]} << 16 | std::size_t{length[3]} << 24;
  if (bytes > in.left()) refuse(path, fmt::format("truncated: the header needs {} bytes, {} are left", bytes, in.left()));
  std::string text(bytes, '\0');
  in.read(text.data(), bytes, "the header");
  return text;
}

template <class T>
std::vector<T> read_values(fs::path const& path, reader& in, std::vector<std::size_t> const& shape) {
  std::uintmax_t bytes = sizeof(T);
  for (std::size_t extent : shape) {
    if (extent != 0 && bytes > std::numeric_limits<std::uintmax_t>::max() / extent) refuse(path, "the shape is larger than any memory");
    bytes *= extent;
  }
  if (bytes > in.left()) refuse(path, fmt::format("truncated: the shape needs {} bytes of values, the file has {}", bytes, in.left()));
  if (bytes < in.left()) refuse(path, fmt::format("{} bytes follow the last value", in.left() - bytes));
  std::vector<T> values(static_cast<std::size_t>(bytes / sizeof(T)));
  in.read(values.data(), static_cast<std::size_t>(bytes), "the values");
  return values;
}

char const* descr_of(npy_array const& array) {
  constexpr char const* names[] = {"<f4", "<f8", "<i4"};
  return names[array.values.index()];
}

// A file beside its final place, removed unless it is put there.
class temporary_file {
public:
  explicit temporary_file(fs::path const& final_path) : final_path_(final_path) {
    std::random_device random;
    for (int attempt = 0; attempt < 16 && !file_; ++attempt) {
      path_ = final_path;
      path_.replace_filename(fmt::format(".{}.{:08x}.part", final_path.filename().string(), random()));
      file_.reset(std::fopen(path_.c_str(), "wbx"));
      if (!file_ && errno != EEXIST) break;
    }
    if (!file_) refuse(final_path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    file_.reset();
    std::error_code ignored;
    if (!placed_) fs::remove(path_, ignored);
  }

  void write(void const* data, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) failed();
  }

  void place() {
    if (std::fflush(file_.get()) != 0 || std::fclose(file_.release()) != 0) failed();
    std::error_code error;
    fs::rename(path_, final_path_, error);
    if (error) refuse(final_path_, fmt::format("cannot be written: {}", error.message()));
    placed_ = true;
  }

private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void failed() const { refuse(final_path_, fmt::format("writing failed: {}", std::strerror(errno))); }

  fs::path const& final_path_;
  fs::path path_;
  std::unique_ptr<std::FILE, closer> file_;
  bool placed_ = false;
};

std::string header_of(npy_array const& array) {
  std::string shape;
  for (std::size_t extent : array.shape) shape += fmt::format("{}, ", extent);
  shape.resize(shape.size() - (array.shape.size() == 1 ? 1 : 2));  // a tuple of one keeps its comma
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(array), shape);
  std::size_t const before = magic.size() + 4;
  std::size_t const total = (before + text.size() + 1 + 63) / 64 * 64;  // the values start at a multiple of 64 bytes
  text.resize(total - before - 1, ' ');
  text += '\n';
  return std::string{magic} + '\x01' + '\x00' + static_cast<char>(text.size() & 0xff) + static_cast<char>(text.size() >> 8) + text;
}

}  // namespace

char const* type_name(npy_array const& array) {
  constexpr char const* names[] = {"f32", "f64", "i32"};
  return names[array.values.index()];
}

npy_array read_npy(fs::path const& path) {
  reader in{path};
  std::string const text = read_header_text(path, in);
  header const head = header_parser{path, text}.parse();
  if (head.descr.starts_with('>')) refuse(path, fmt::format("type '{}' is big-endian; only <f4, <f8 and <i4 are read", head.descr));
  if (head.shape.empty() || head.shape.size() > 2) {
    refuse(path, fmt::format("has {} dimensions; arrays of one or two are read", head.shape.size()));
  }
  if (head.fortran_order) refuse(path, "is in Fortran order; only C order is read");
  npy_array array{head.shape, {}};
  if (head.descr == "<f4") array.values = read_values<float>(path, in, head.shape);
  else if (head.descr == "<f8") array.values = read_values<double>(path, in, head.shape);
  else if (head.descr == "<i4") array.values = read_values<std::int32_t>(path, in, head.shape);
  else refuse(path, fmt::format("type '{}'; only <f4, <f8 and <i4 are read", head.descr));
  return array;
}

void write_npy(fs::path const& path, npy_array const& array) {
  if (array.shape.empty() || array.shape.size() > 2) refuse(path, "only arrays of one or two dimensions are written");
  std::size_t const count = std::visit([](auto const& values) { return values.size(); }, array.values);
  if (array.rows() * array.columns() != count) refuse(path, "the shape does not fit the number of values");

  // Through a link to the file it names; and never over a device or a folder.
  std::error_code error;
  fs::path target = path;
  for (int links = 0; links < 40 && fs::is_symlink(target, error); ++links) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  auto const status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(path, "is not a regular file, so it is not written over");

  std::string const head = header_of(array);
  temporary_file out{target};
  out.write(head.data(), head.size());
  std::visit([&](auto const& values) { out.write(values.data(), values.size() * sizeof values[0]); }, array.values);
  out.place();
}

}  // namespace muster::tool
