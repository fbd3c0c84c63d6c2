// What the tests of members share and what needs no template: compiled once, by the host's compiler, for the programs of both compilers.
#include <cstring>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "support/member_tables.hpp"
#include "support/report.hpp"

namespace test {

std::string hexadecimal(std::uint32_t bits) {
  std::ostringstream out;
  out << "0x" << std::hex << bits;
  return out.str();
}

namespace {

template <class T>
T read(void const* value) {
  T result;
  std::memcpy(&result, value, sizeof(T));
  return result;
}

// An integer of 1, 2, 4 or 8 bytes, lowest byte first.
std::uint64_t integer(void const* value, std::size_t size) {
  std::uint64_t result = 0;
  for (std::size_t i = size; i-- > 0;) result = result << 8 | static_cast<unsigned char const*>(value)[i];
  return result;
}

}  // namespace

std::string text_of(void const* value, std::size_t size, number_kind kind) {
  std::ostringstream out;
  out << std::setprecision(17);
  switch (kind) {
    case number_kind::floating: out << (size == 4 ? static_cast<double>(read<float>(value)) : read<double>(value)) << " "; break;
    case number_kind::signed_integer: out << (static_cast<std::int64_t>(integer(value, size) << (64 - 8 * size)) >> (64 - 8 * size)) << " "; break;
    case number_kind::unsigned_integer: out << integer(value, size) << " "; break;
    case number_kind::none: break;
  }
  out << "0x" << std::hex << std::setfill('0');
  for (std::size_t i = size; i-- > 0;) out << std::setw(2) << +static_cast<unsigned char const*>(value)[i];
  return out.str();
}

differences::differences(std::string about) : about_{std::move(about)} {}

void differences::add(std::string const& operation, int thread, std::string const& expected, std::string const& got) {
  ++count_;
  if (count_ > 6) return;
  std::ostringstream line;
  line << "\n  " << about_ << ", " << operation << ", warp " << thread / 32 << " lane " << thread % 32 << ": expected " << expected << ", got " << got;
  text_ += line.str();
}

std::string differences::text() const { return count_ <= 6 ? text_ : text_ + "\n  and " + std::to_string(count_ - 6) + " more"; }

void check(differences const& found) {
  std::string const difference = found.text();
  CHECK(difference == "");
}

std::vector<std::vector<int>> tiles_of(int threads, int width, int (*label)(int thread)) {
  std::vector<std::vector<int>> result;
  for (int base = 0; base < threads; base += width) {
    std::map<int, std::vector<int>> parts;
    for (int thread = base; thread < base + width && thread < threads; ++thread)
      if (label(thread) >= 0) parts[label(thread)].push_back(thread);
    for (auto& [label_of_part, members] : parts) result.push_back(members);
  }
  return result;
}

std::vector<unsigned char> inputs_of(kind_table const& kind, body_table const& body) {
  std::vector<unsigned char> in(static_cast<std::size_t>(kind.threads) * body.size);
  for (int thread = 0; thread < kind.threads; ++thread) body.input(thread, &in[static_cast<std::size_t>(thread) * body.size]);
  return in;
}

std::vector<unsigned char> untouched_results_of(kind_table const& kind, body_table const& body) {
  std::vector<unsigned char> one(body.size);
  body.untouched(one.data());
  std::vector<unsigned char> all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kind.threads) * body.names().size(); ++i) all.insert(all.end(), one.begin(), one.end());
  return all;
}

void check_results(std::string const& machine, kind_table const& kind, body_table const& body, std::vector<unsigned char> const& in, std::vector<unsigned char> const& got) {
  std::size_t const size = body.size, threads = static_cast<std::size_t>(kind.threads);
  differences found(machine + ", " + kind.name() + ", " + body.type());
  auto const names = body.names();
  auto wanted = untouched_results_of(kind, body);
  REQUIRE(got.size() == wanted.size());
  for (auto const& tile : tiles_of(kind.threads, kind.facts.width, kind.label)) {
    std::vector<unsigned char> held;
    for (int thread : tile) held.insert(held.end(), &in[static_cast<std::size_t>(thread) * size], &in[static_cast<std::size_t>(thread) * size] + size);
    int const count = static_cast<int>(tile.size());
    for (int k = 0; k < static_cast<int>(names.size()); ++k)
      for (int rank = 0; rank < count; ++rank)
        body.expected(k, held.data(), count, rank, kind.facts, &wanted[(static_cast<std::size_t>(k) * threads + static_cast<std::size_t>(tile[static_cast<std::size_t>(rank)])) * size]);
  }
  for (std::size_t i = 0; i < got.size(); i += size)
    if (std::memcmp(&wanted[i], &got[i], size) != 0)
      found.add(names[i / size / threads], static_cast<int>(i / size % threads), text_of(&wanted[i], size, body.number), text_of(&got[i], size, body.number));
  check(found);
}

}  // namespace test
