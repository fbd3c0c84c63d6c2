#include "tool/npy.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tool/support.hpp"

namespace fs = std::filesystem;
using muster::tool::npy_array;
using muster::tool::npy_error;
using muster::tool::read_npy;
using muster::tool::write_npy;
using namespace test;
using namespace std::string_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

// A file of version 1.0, with this header text and these bytes of values.
std::string file_of(std::string const& header, std::string const& values, char version = 1) {
  std::string length{static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  if (version > 1) length += "\0\0"s;
  return "\x93NUMPY"s + version + '\0' + length + header + values;
}

std::string header_of(std::string const& descr, std::string const& shape, std::string const& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n";
}

// What NumPy 2.4.6 wrote for np.save(..., np.array([[1, 2, 3], [-4, 5, 6]], dtype=np.float32)).
std::string const numpys_own =
    "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"s + std::string(58, ' ') + "\n"s +
    "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\xc0\x00\x00\xa0\x40\x00\x00\xc0\x40"s;

void refused(std::string const& bytes, std::string const& reason) {
  scratch_folder folder;
  auto const path = folder / "bad.npy";
  put(path, bytes);
  INFO("expected: " << reason);
  REQUIRE_THROWS_MATCHES(read_npy(path), npy_error, MessageMatches(ContainsSubstring(path.string()) && ContainsSubstring(reason)));
}

}  // namespace

TEST_CASE("a file that NumPy wrote is read as it is, and written byte for byte the same") {
  REQUIRE(numpys_own.size() == 128 + 24);
  scratch_folder folder;
  put(folder / "in.npy", numpys_own);
  auto const array = read_npy(folder / "in.npy");
  CHECK(array.shape == std::vector<std::size_t>{2, 3});
  CHECK(array.rows() == 2);
  CHECK(array.columns() == 3);
  CHECK(type_name(array) == "f32"s);
  CHECK(std::get<std::vector<float>>(array.values) == std::vector<float>{1, 2, 3, -4, 5, 6});
  write_npy(folder / "out.npy", array);
  CHECK(get(folder / "out.npy") == numpys_own);
}

TEST_CASE("every type and shape survives writing and reading") {
  scratch_folder folder;
  auto const path = folder / "a.npy";
  auto const same = [&](npy_array const& array, char const* type) {
    write_npy(path, array);
    auto const back = read_npy(path);
    CHECK(back.shape == array.shape);
    CHECK(back.values == array.values);
    CHECK(type_name(back) == std::string{type});
    CHECK(get(path).find('\n') % 64 == 63);
  };
  same({{3}, std::vector<float>{0.5f, -0.0f, 3e38f}}, "f32");
  same({{2, 2}, std::vector<double>{1e300, 5e-324, -1, 0}}, "f64");
  same({{1, 4}, std::vector<std::int32_t>{0, -1, 2147483647, -2147483647 - 1}}, "i32");
  same({{0}, std::vector<float>{}}, "f32");
  same({{0, 7}, std::vector<std::int32_t>{}}, "i32");
  same({{100000}, std::vector<double>(100000, 2.5)}, "f64");
}

TEST_CASE("all three versions, and headers that other programs write, are read") {
  scratch_folder folder;
  std::string const values(16, '\0');
  char const version = GENERATE(char{1}, char{2}, char{3});
  auto const reads = [&](std::string const& header) {
    put(folder / "a.npy", file_of(header, values, version));
    CAPTURE(header);
    CHECK(std::get<std::vector<std::int32_t>>(read_npy(folder / "a.npy").values) == std::vector<std::int32_t>(4, 0));
  };
  reads(header_of("<i4", "(4,)"));
  reads(header_of("<i4", "(2, 2)"));
  reads("{'shape':(4,),'fortran_order':False,'descr':'<i4'}");
  reads("{\"descr\": \"<i4\", \"fortran_order\": False, \"shape\": (4L,)}\n");
  reads("  { 'descr' : '<i4' ,\n 'fortran_order' : False , 'shape' : ( 2 , 2 , ) , } \n");
}

TEST_CASE("a file cut short at any byte is refused, and so is one with a byte too many") {
  for (std::size_t kept = 0; kept < numpys_own.size(); ++kept) {
    CAPTURE(kept);
    refused(numpys_own.substr(0, kept), kept == 0 ? "is empty" : "truncated");
  }
  refused(numpys_own + '\0', "1 bytes follow the last value");
}

TEST_CASE("a file with any one byte changed is read or refused, never anything worse") {
  scratch_folder folder;
  auto const path = folder / "a.npy";
  int refusals = 0;
  for (std::size_t at = 0; at < 128; ++at) {
    for (int value : {0, 1, 9, 10, 32, 39, 40, 41, 48, 57, 76, 123, 125, 127, 128, 255}) {
      auto bytes = numpys_own;
      bytes[at] = static_cast<char>(value);
      put(path, bytes);
      try {
        auto const array = read_npy(path);
        CHECK(array.rows() * array.columns() * 4 == bytes.size() - 128);
      } catch (npy_error const&) {
        ++refusals;
      }
    }
  }
  CHECK(refusals > 500);
}

TEST_CASE("what is no .npy file of these types is refused with the reason") {
  std::string const values(16, '\0');
  refused("PK\x03\x04 a zip archive, as .npz files are", "not a .npy file");
  refused("1,2,3\n", "not a .npy file");
  refused(file_of(header_of("<f4", "(4,)"), values, 4), ".npy version 4.0");
  refused(file_of(header_of(">f4", "(4,)"), values), "big-endian");
  refused(file_of(header_of("<f2", "(8,)"), values), "type '<f2'");
  refused(file_of(header_of("<i8", "(2,)"), values), "type '<i8'");
  refused(file_of(header_of("|O", "(2,)"), values), "type '|O'");
  refused(file_of(header_of("<f4", "(2, 2)", "True"), values), "Fortran order");
  refused(file_of(header_of("<f4", "()"), values), "0 dimensions");
  refused(file_of(header_of("<f4", "(1, 2, 2)"), values), "3 dimensions");
  refused(file_of(header_of("<f4", "(5,)"), values), "the shape needs 20 bytes of values, the file has 16");
  refused(file_of(header_of("<f4", "(3,)"), values), "4 bytes follow the last value");
  refused(file_of("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4,)}", values), "records");
}

TEST_CASE("a shape too large for memory is refused before anything is allocated") {
  std::string const values(16, '\0');
  refused(file_of(header_of("<f4", "(2147483647, 2147483647)"), values), "truncated");
  refused(file_of(header_of("<f8", "(2147483647, 2147483647)"), values), "the shape is larger than any memory");
  refused(file_of(header_of("<f4", "(4611686018427387904,)"), values), "an extent of the shape is larger");
  refused(file_of(header_of("<f4", "(18446744073709551617,)"), values), "an extent of the shape is larger");
  refused(file_of(header_of("<f4", "(99999999999999999999999999999999, 0)"), values), "an extent of the shape is larger");
}

TEST_CASE("a malformed header is refused") {
  std::string const values(16, '\0');
  for (std::string const& header : {
           ""s,
           "\n"s,
           "{"s,
           "{}"s,
           "{'descr': '<f4'}"s,
           "{'descr': '<f4', 'fortran_order': False}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)} x"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'extra': 1}"s,
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}"s,
           "{'descr': '<f4', 'fortran_order': No, 'shape': (4,)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4.0,)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': 4}"s,
           "{'descr': '<f4, 'fortran_order': False, 'shape': (4,)}"s,
           "{'descr': '<f4' 'fortran_order': False, 'shape': (4,)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}\0"s,
           "[1, 2, 3]"s,
       }) {
    CAPTURE(header);
    refused(file_of(header, values), "malformed .npy header");
  }
}

TEST_CASE("what cannot be opened is refused with the reason") {
  scratch_folder folder;
  auto const says = [](fs::path const& path, std::string const& reason) {
    REQUIRE_THROWS_MATCHES(read_npy(path), npy_error, MessageMatches(ContainsSubstring(path.string()) && ContainsSubstring(reason)));
  };
  says(folder / "absent.npy", "no such file");
  says(folder / ".", "is a directory");
  says("/dev/null", "is not a regular file");
}

TEST_CASE("writing replaces a file whole, or leaves it as it was") {
  scratch_folder folder;
  npy_array const array{{2}, std::vector<float>{1, 2}};

  put(folder / "a.npy", "old");
  write_npy(folder / "a.npy", array);
  CHECK(read_npy(folder / "a.npy").values == array.values);
  CHECK(folder.files() == 1);

  SECTION("a shape that does not fit leaves the old file") {
    CHECK_THROWS_AS(write_npy(folder / "a.npy", {{3}, std::vector<float>{1, 2}}), npy_error);
    CHECK_THROWS_AS(write_npy(folder / "a.npy", {{}, std::vector<float>{1}}), npy_error);
    CHECK(read_npy(folder / "a.npy").values == array.values);
    CHECK(folder.files() == 1);
  }
  SECTION("a folder or a device is not written over") {
    fs::create_directory(folder / "sub");
    CHECK_THROWS_AS(write_npy(folder / "sub", array), npy_error);
    CHECK(fs::is_directory(folder / "sub"));
    CHECK_THROWS_AS(write_npy("/dev/null", array), npy_error);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(folder.files() == 2);
  }
  SECTION("a folder that does not exist is named") {
    CHECK_THROWS_MATCHES(write_npy(folder / "absent" / "b.npy", array), npy_error, MessageMatches(ContainsSubstring("absent")));
    CHECK(folder.files() == 1);
  }
  SECTION("a write that fails midway leaves the old file and no part behind") {
    npy_array const large{{100000}, std::vector<double>(100000, 1.0)};
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    auto const old_handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit const small{4096, old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    bool failed = false;
    try {
      write_npy(folder / "a.npy", large);
    } catch (npy_error const&) {
      failed = true;
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);
    CHECK(failed);
    CHECK(read_npy(folder / "a.npy").values == array.values);
    CHECK(folder.files() == 1);
  }
  SECTION("a link is followed") {
    fs::create_symlink(folder / "b.npy", folder / "link.npy");
    write_npy(folder / "link.npy", array);
    CHECK(fs::is_symlink(folder / "link.npy"));
    CHECK(read_npy(folder / "b.npy").values == array.values);
  }
}
