// `muster softmax|reduce|scan FILE.npy`: an algorithm on the rows of a file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tool/arrays.hpp"
#include "tool/commands.hpp"
#include "tool/npy.hpp"
#include "tool/progress.hpp"

namespace muster::tool {

namespace {

template <class T>
std::vector<T> run(array_algorithm algorithm, array_job const& job, std::vector<T> const& values) {
  switch (algorithm) {
    case array_algorithm::reduce: return reduce_array(job, values);
    case array_algorithm::scan: return scan_array(job, values);
    case array_algorithm::softmax: break;
  }
  if constexpr (std::is_floating_point_v<T>) return softmax_array(job, values);
  else throw bad_input("softmax needs floating-point values, and the file has i32");
}

// Integers whole, others with six digits; the sign of a NaN means nothing, and differs from machine to machine.
template <class T>
std::string text_of(T value) {
  if constexpr (std::is_integral_v<T>) return std::to_string(value);
  else return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
}

// Shape, and as many values as fit a line.
void print_summary(npy_array const& array, array_request const& request) {
  std::string shape;
  for (std::size_t extent : array.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
  std::string values;
  std::visit(
      [&](auto const& all) {
        std::size_t const shown = std::min<std::size_t>(all.size(), 8);
        for (std::size_t i = 0; i < shown; ++i) values += (i == 0 ? "" : " ") + text_of(all[i]);
        if (all.size() > shown) values += " ...";
      },
      array.values);
  std::printf("%s %s, policy %s, on %s\n%s\n", shape.c_str(), type_name(array), request.job.policy.c_str(), name_of(request.job.on), values.c_str());
}

}  // namespace

void run_on_array(array_request const& asked) {
  array_request request = asked;
  request.job.on = choose_machine(request.on);
  auto const folder = std::filesystem::path(request.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) throw npy_error(request.out + ": there is no folder " + folder.string());
  npy_array out;
  {
    progress shown(request.in);
    shown.begin("reading");
    npy_array const in = read_npy(request.in);
    request.job.rows = in.rows();
    request.job.columns = in.columns();
    shown.begin(std::string("computing on ") + name_of(request.job.on), request.job.rows);
    request.job.on_progress = [&](std::size_t rows_done) { shown.at(rows_done); };
    out.shape = in.shape;
    if (request.algorithm == array_algorithm::reduce) out.shape = {in.rows()};
    std::visit([&](auto const& values) { out.values = run(request.algorithm, request.job, values); }, in.values);
    shown.begin("writing " + request.out);
    if (!request.out.empty()) write_npy(request.out, out);
  }
  if (request.out.empty()) print_summary(out, request);
}

}  // namespace muster::tool
