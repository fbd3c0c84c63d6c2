// Values of every size to send between lanes: different in each lane, all bytes in use, compared by their bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/value_traits.hpp>

namespace test {

// A value in memory. std::vector<bool> is no array of bool; std::vector<cell<bool>> is.
template <class T>
struct cell {
  T value;
};

template <int Size>
struct bytes {
  unsigned char byte[Size];
};

enum class colour : std::uint8_t { red, green, blue };

struct mixed {
  double d;
  float f;
  std::int16_t i;
  std::uint16_t j;
};

// Scrambles an integer; the same on every machine (D. Steele, "splitmix64").
MUSTER_FN inline std::uint64_t scrambled(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15ull;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebull;
  return n ^ (n >> 31);
}

template <class T>
struct value_maker {
  static T make(std::uint64_t n) {
    T result{};
    unsigned char raw[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = static_cast<unsigned char>(scrambled(n * 64 + i));
    std::memcpy(static_cast<void*>(&result), raw, sizeof(T));
    return result;
  }
};
template <>
struct value_maker<bool> {
  static bool make(std::uint64_t n) { return (scrambled(n) & 1) != 0; }
};
template <>
struct value_maker<colour> {
  static colour make(std::uint64_t n) { return static_cast<colour>(scrambled(n) % 3); }
};
// Finite, so that bytes and value say the same.
template <>
struct value_maker<float> {
  static float make(std::uint64_t n) { return static_cast<float>(static_cast<std::int32_t>(scrambled(n))) / 1024.0f; }
};
template <>
struct value_maker<double> {
  static double make(std::uint64_t n) { return static_cast<double>(static_cast<std::int64_t>(scrambled(n))) / 1024.0; }
};
template <>
struct value_maker<mixed> {
  static mixed make(std::uint64_t n) {
    return {value_maker<double>::make(n), value_maker<float>::make(n + 1000), value_maker<std::int16_t>::make(n + 2000), value_maker<std::uint16_t>::make(n + 3000)};
  }
};

template <class T>
T value_of(std::uint64_t n) {
  return value_maker<T>::make(n);
}

template <class T>
bool same_bytes(T const& a, T const& b) {
  return std::memcmp(static_cast<void const*>(&a), static_cast<void const*>(&b), sizeof(T)) == 0;
}

// A value as text: a number if it is one, and its bytes.
enum class number_kind { none, floating, signed_integer, unsigned_integer };
std::string text_of(void const* value, std::size_t size, number_kind kind);
template <class T>
constexpr number_kind number_kind_of = std::is_floating_point_v<T>                          ? number_kind::floating
                                       : !std::is_integral_v<T>                             ? number_kind::none
                                       : std::is_signed_v<T> && !std::is_same_v<T, bool>    ? number_kind::signed_integer
                                                                                            : number_kind::unsigned_integer;
template <class T>
std::string text_of(T const& value) {
  return text_of(&value, sizeof(T), number_kind_of<T>);
}

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_same_v<T, colour>) return "enum colour";
  else if constexpr (std::is_same_v<T, mixed>) return "struct mixed";
  else if constexpr (std::is_same_v<T, float>) return "float";
  else if constexpr (std::is_same_v<T, double>) return "double";
  else if constexpr (std::is_integral_v<T>) return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
  else if constexpr (requires { T::name(); }) return T::name();
  else return std::to_string(sizeof(T)) + " bytes";
}

}  // namespace test

template <>
inline constexpr bool muster::has_no_padding<test::mixed> = true;
