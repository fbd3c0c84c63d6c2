// The tool as a user calls it on files: results, summaries, and every way to be refused.
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tool/machine.hpp"
#include "tool/npy.hpp"
#include "tool/support.hpp"

using namespace test;
using muster::tool::npy_array;
using muster::tool::read_npy;
using muster::tool::write_npy;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

npy_array const integers{{2, 5}, std::vector<std::int32_t>{1, 2, 3, 4, 5, -1, -2, -3, -4, 2147483647}};
npy_array const floats{{4}, std::vector<float>{0.5f, 2.0f, -1.0f, 4.0f}};

// Runs a command on a file, writing another one, and reads that.
template <class T>
void gives(npy_array const& in, std::vector<std::string> arguments, std::vector<std::size_t> const& shape, std::vector<T> const& values) {
  scratch_folder folder;
  write_npy(folder / "in.npy", in);
  arguments.insert(arguments.begin() + 1, (folder / "in.npy").string());
  arguments.insert(arguments.end(), {"-o", (folder / "out.npy").string()});
  outcome const done = run_tool(arguments);
  INFO(done.err);
  REQUIRE(done.code == 0);
  CHECK(done.err.empty());
  CHECK(folder.files() == 2);
  npy_array const out = read_npy(folder / "out.npy");
  CHECK(out.shape == shape);
  REQUIRE(std::holds_alternative<std::vector<T>>(out.values));
  CHECK(std::get<std::vector<T>>(out.values) == values);
}

}  // namespace

TEST_CASE("reduce gives one value for each row, one for an array of one dimension") {
  gives<std::int32_t>(integers, {"reduce"}, {2}, {15, 2147483637});
  gives<std::int32_t>(integers, {"reduce", "--op", "min"}, {2}, {1, -4});
  gives<std::int32_t>(integers, {"reduce", "--op", "max", "--policy", "redux", "--on", "emulator"}, {2}, {5, 2147483647});
  gives<std::int32_t>(integers, {"reduce", "--op", "prod"}, {2}, {120, -24});  // 24 (2^31 - 1) wraps
  gives<float>(floats, {"reduce", "--policy", "shuffle"}, {1}, {5.5f});
}

TEST_CASE("scan keeps the shape; i32 wraps") {
  gives<std::int32_t>(integers, {"scan"}, {2, 5}, {1, 3, 6, 10, 15, -1, -3, -6, -10, 2147483637});
  gives<std::int32_t>(integers, {"scan", "--exclusive"}, {2, 5}, {0, 1, 3, 6, 10, 0, -1, -3, -6, -10});
  gives<float>(floats, {"scan", "--op", "max", "--on", "emulator"}, {4}, {0.5f, 2.0f, 2.0f, 4.0f});
  gives<float>(floats, {"scan", "--op", "prod", "--exclusive"}, {4}, {1.0f, 0.5f, 1.0f, -1.0f});
}

TEST_CASE("softmax keeps shape and type") {
  gives<float>({{2, 2}, std::vector<float>{3.0f, 3.0f, -1e30f, 1e30f}}, {"softmax"}, {2, 2}, {0.5f, 0.5f, 0.0f, 1.0f});
  gives<double>({{2}, std::vector<double>{7.0, -1e300}}, {"softmax", "--log"}, {2}, {0.0, -1e300});
}

TEST_CASE("without an output file, shape, type, policy, machine and the first values are printed") {
  scratch_folder folder;
  write_npy(folder / "in.npy", integers);
  outcome const done = run_tool({"scan", (folder / "in.npy").string(), "--on", "emulator"});
  CHECK(done.code == 0);
  CHECK(done.out == "2 x 5 i32, policy automatic, on emulator\n1 3 6 10 15 -1 -3 -6 ...\n");
  CHECK(folder.files() == 1);
}

TEST_CASE("what is printed of integers is whole, of NaN without a sign, of other values rounded") {
  scratch_folder folder;
  auto const second_line = [&](npy_array const& in, std::vector<std::string> arguments) {
    write_npy(folder / "in.npy", in);
    arguments.insert(arguments.begin() + 1, (folder / "in.npy").string());
    arguments.insert(arguments.end(), {"--on", "emulator"});
    outcome const done = run_tool(arguments);
    CHECK(done.code == 0);
    auto const lines = lines_of(done.out);
    return lines.size() == 2 ? lines[1] : done.out;
  };
  float const infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(second_line({{3, 2}, std::vector<std::int32_t>{123456789, 1, -2147483647, -1, 2147483647, 0}}, {"reduce"}) == "123456790 -2147483648 2147483647");
  CHECK(second_line({{3}, std::vector<float>{1, infinity, -infinity}}, {"scan", "--op", "max"}) == "1 inf inf");
  CHECK(second_line({{2}, std::vector<float>{-infinity, -infinity}}, {"softmax"}) == "nan nan");
  CHECK(second_line({{2}, std::vector<float>{-nan, nan}}, {"scan"}) == "nan nan");
  CHECK(second_line({{3}, std::vector<double>{123456789, -0.0, 1e-300}}, {"scan", "--op", "min"}) == "1.23457e+08 -0 -0");
}

TEST_CASE("a command that is refused says why in one line, exits with 2 and leaves the output as it was") {
  scratch_folder folder;
  std::string const good = (folder / "good.npy").string(), bad = (folder / "bad.npy").string(), out = (folder / "out.npy").string();
  write_npy(good, integers);
  put(out, "what was here before");

  auto const refused = [&](std::vector<std::string> arguments, std::string const& reason) {
    auto const files = folder.files();
    outcome const done = run_tool(arguments);
    CAPTURE(reason, done.err);
    CHECK(done.code == 2);
    CHECK(done.out.empty());
    CHECK_THAT(done.err, ContainsSubstring(reason));
    CHECK(folder.files() == files);
    CHECK(get(out) == "what was here before");
  };
  auto const refused_file = [&](std::string const& bytes, std::string const& reason) {
    put(bad, bytes);
    for (char const* const command : {"softmax", "reduce", "scan"}) refused({command, bad, "-o", out}, "muster: " + bad + ": " + reason);
  };
  std::string const whole = get(good);

  refused({"reduce", (folder / "none.npy").string(), "-o", out}, "none.npy: no such file");
  refused({"reduce", folder.operator/("").string(), "-o", out}, "is a directory");
  refused_file("", "is empty");
  refused_file("a,b,c\n1,2,3\n", "not a .npy file");
  refused_file("\x7f" "ELF and more", "not a .npy file");
  for (std::size_t const length : {3, 7, 9, 20, 127, 128, 130, 167}) refused_file(whole.substr(0, length), "");
  refused_file(whole + "x", "1 bytes follow the last value");
  std::string foreign = whole;
  foreign.replace(foreign.find("<i4"), 3, "<i8");
  refused_file(foreign, "type '<i8'");
  foreign.replace(foreign.find("<i8"), 3, ">i4");
  refused_file(foreign, "type '>i4' is big-endian");

  refused({"softmax", good, "-o", out}, "softmax needs floating-point values, and the file has i32");
  refused({"reduce", good, "-o", out, "--policy", "magic"}, "magic not in {");
  refused({"reduce", good, "-o", out, "--op", "minus"}, "minus not in {");
  refused({"reduce", good, "-o", out, "--policy", "redux", "--op", "prod"}, "policy redux does not do this reduction");
  refused({"scan", good, "-o", out, "--policy", "redux"}, "policy redux does not do scans");
  refused({"scan", good, "-o", out, "--policy", "cub", "--on", "emulator"}, "policy cub needs a GPU");
  refused({"scan", good, "-o", out, "--policy", "cooperative_groups", "--on", "emulator"}, "policy cooperative_groups needs a GPU");
  refused({"reduce", good, "-o", out, "--on", "abacus"}, "abacus not in {");
  if (!muster::tool::why_no_device().empty()) refused({"reduce", good, "-o", out, "--on", "device"}, "--on device: " + muster::tool::why_no_device());
  refused({"reduce", good, "-o", (folder / "no folder").string() + "/out.npy"}, "there is no folder");
  refused({"reduce", good, "-o", folder.operator/("").string()}, "");
  refused({"reduce", good, "--log"}, "--log");
  refused({"softmax", good, "--op", "sum"}, "--op");
  refused({"reduce"}, "file is required");
}

TEST_CASE("a command that is called wrongly says what and how to learn more, in one line") {
  auto const is_told = [](std::vector<std::string> const& arguments, std::string const& text) {
    outcome const done = run_tool(arguments);
    CHECK(done.code == 2);
    CHECK(done.out.empty());
    CHECK(done.err == text + " says what is accepted\n");
  };
  is_told({"reduce"}, "muster reduce: file is required; muster reduce --help");
  is_told({"plan", "--rows", "3"}, "muster plan: --cols is required; muster plan --help");
  is_told({"reduce", "in.npy", "--op"}, "muster reduce: --op needs a value; muster reduce --help");
  is_told({"demo", "--seed", "1", "--seed", "2"}, "muster demo: --seed is given more than once; muster demo --help");
  is_told({"show", "reduce", "--width"}, "muster show: --width needs a value; muster show --help");
  is_told({"reduce", "in.npy", "--frob"}, "muster reduce: '--frob' is no option of it; muster reduce --help");
  is_told({"reduce", "in.npy", "more.npy"}, "muster reduce: 'more.npy' is one argument too many; muster reduce --help");
  is_told({"demo", "--on", "abacus"}, "muster demo: --on: abacus not in {device,emulator}; muster demo --help");
  is_told({"demo", "--seed", "x"}, "muster demo: --seed: 'x' is no whole number from 0 to 18446744073709551615; muster demo --help");
}

TEST_CASE("help and version answer with 0, an unknown command with 2") {
  outcome const version = run_tool({"--version"});
  CHECK(version.code == 0);
  CHECK(version.out == "muster " MUSTER_VERSION "\n");
  outcome const help = run_tool({"--help"});
  CHECK(help.code == 0);
  for (char const* const command : {"demo", "softmax", "reduce", "scan", "show", "plan"}) {
    CHECK_THAT(help.out, ContainsSubstring(command));
    CHECK(run_tool({command, "--help"}).code == 0);
  }
}

TEST_CASE("a command line without a subcommand is answered with all of them") {
  auto const is_told = [](std::vector<std::string> const& arguments, std::string const& reason) {
    outcome const done = run_tool(arguments);
    CAPTURE(done.err);
    CHECK(done.code == 2);
    CHECK(done.out.empty());
    CHECK_THAT(done.err, StartsWith("muster: " + reason + "; there are\n"));
    for (char const* const command : {"demo", "softmax", "reduce", "scan", "show", "plan"}) CHECK_THAT(done.err, ContainsSubstring(std::string("\n  ") + command + " "));
  };
  is_told({}, "a subcommand is needed");
  is_told({"sofmax", "in.npy"}, "'sofmax' is no subcommand");
  is_told({"--fast"}, "'--fast' is no subcommand");
}

TEST_CASE("a number is decimal, whole and in its range") {
  auto const refused = [](std::vector<std::string> const& arguments, std::string const& reason) {
    outcome const done = run_tool(arguments);
    CAPTURE(done.err);
    CHECK(done.code == 2);
    CHECK(done.out.empty());
    CHECK_THAT(done.err, ContainsSubstring(reason));
  };
  for (std::string const text : {"-1", "abc", "1.5", "0x10", "18446744073709551616", ""}) refused({"demo", "--seed", text}, "'" + text + "' is no whole number from 0 to 18446744073709551615");
  refused({"plan", "--rows", "-1", "--cols", "4"}, "--rows: '-1' is no whole number from 1 to 9223372036854775807");
  refused({"plan", "--rows", "1", "--cols", "9223372036854775808"}, "--cols: '9223372036854775808' is no whole number");
  refused({"plan", "--rows", "1", "--cols", "4", "--multiprocessors", "0"}, "--multiprocessors: '0' is no whole number from 1 to 2147483647");
  refused({"show", "reduce", "--width", "4294967328"}, "--width: '4294967328' is no whole number");
  refused({"show", "shuffle_up", "--by", "-1"}, "--by: '-1' is no whole number");
  outcome const octal = run_tool({"plan", "--rows", "4", "--cols", "0100"}), decimal = run_tool({"plan", "--rows", "4", "--cols", "100"});
  CHECK(octal.code == 0);
  CHECK(octal.out == decimal.out);
}
