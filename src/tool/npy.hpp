// NumPy's .npy files of one or two dimensions in C order, of f32, f64 or i32: read whole, written whole or not at all.
// Format: numpy.lib.format, versions 1.0 to 3.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <variant>
#include <vector>

#include "tool/errors.hpp"

namespace muster::tool {

// A file that cannot be read or written; what() names the file and the reason.
struct npy_error : bad_input {
  using bad_input::bad_input;
};

struct npy_array {
  std::vector<std::size_t> shape;                                                          // one or two extents
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>> values;  // as many as the product of the extents

  std::size_t rows() const { return shape.size() == 2 ? shape[0] : 1; }
  std::size_t columns() const { return shape.empty() ? 0 : shape.back(); }
};

// "f32", "f64" or "i32".
char const* type_name(npy_array const& array);

npy_array read_npy(std::filesystem::path const& path);

// Writes beside `path` and renames, so that `path` holds the whole array or what it held before.
void write_npy(std::filesystem::path const& path, npy_array const& array);

}  // namespace muster::tool
