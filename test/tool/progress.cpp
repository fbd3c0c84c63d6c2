// The line that tells of long work: its text, that a terminal shows it while one step goes on and is clean afterwards, and that nothing else sees it.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tool/progress.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using muster::tool::progress;
using muster::tool::progress_text;

namespace {

// A file descriptor in the place of standard error.
class instead_of_stderr {
 public:
  explicit instead_of_stderr(int other) : before_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(other, STDERR_FILENO);
  }
  instead_of_stderr(instead_of_stderr const&) = delete;
  instead_of_stderr& operator=(instead_of_stderr const&) = delete;
  ~instead_of_stderr() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
  }

 private:
  int before_;
};

// What has been written so far.
std::string read_all(int from) {
  std::string text;
  char part[512];
  for (ssize_t got = read(from, part, sizeof part); got > 0; got = read(from, part, sizeof part)) text.append(part, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

TEST_CASE("the line says what is being done, the share where it is known, and since when") {
  using std::chrono::seconds;
  CHECK(progress_text("in.npy", "reading", 0, 0, seconds(3)) == "in.npy: reading, 3 s");
  CHECK(progress_text("in.npy", "computing", 1, 3, seconds(12)) == "in.npy: computing,  33 %, 12 s");
  CHECK(progress_text("demo", "", 4, 4, seconds(0)) == "demo, 100 %, 0 s");
  std::size_t const many = ~std::size_t{0};
  CHECK(progress_text("rows", "", many / 2, many, seconds(1)) == "rows,  50 %, 1 s");
}

TEST_CASE("a terminal shows the line while one long step goes on, and is clean afterwards") {
  int const terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) SKIP("this system gives no pseudoterminal");
  int const end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(end >= 0);
  std::string text;
  {
    instead_of_stderr const shown(end);
    {
      progress long_work("in.npy");
      long_work.begin("computing", 8);
      long_work.at(2);
      for (int tenths = 0; tenths < 100 && text.find(" s") == std::string::npos; ++tenths) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        text += read_all(terminal);
      }
    }
    { progress const short_work("nothing of this"); }
    text += read_all(terminal);
  }
  close(end);
  close(terminal);
  CHECK_THAT(text, ContainsSubstring("in.npy: computing,  25 %, 0 s") && EndsWith("\r\033[K") && !ContainsSubstring("nothing of this"));
}

TEST_CASE("what is no terminal gets no line") {
  int ends[2];
  REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
  {
    instead_of_stderr const shown(ends[1]);
    progress long_work("in.npy");
    long_work.begin("computing");
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  CHECK(read_all(ends[0]).empty());
  close(ends[0]);
  close(ends[1]);
}
