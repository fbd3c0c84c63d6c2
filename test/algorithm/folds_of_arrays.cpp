// Several values a lane: the tile's sequence is rank 0's values, then rank 1's, and so on. Operators that do not commute show any other order.
#include <cstdint>

#include "support/folds.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace folds_of_arrays {

using namespace test;

// 2 x 2 matrices of integers modulo 2^32.
struct matrix {
  std::uint32_t a, b, c, d;
  static std::string name() { return "2 x 2 matrix"; }
};
struct matrix_product {
  static constexpr bool is_commutative = false;
  MUSTER_FN matrix operator()(matrix m, matrix n) const {
    return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
  }
  template <class T>
  MUSTER_FN static matrix identity() {
    return {1, 0, 0, 1};
  }
};

// The last seven letters of a text and its length: concatenation keeps the order of all that it still shows.
struct text {
  std::uint64_t letters;
  std::uint64_t length;
  static std::string name() { return "text"; }
};
struct concatenate {
  static constexpr bool is_commutative = false;
  MUSTER_FN text operator()(text x, text y) const {
    std::uint64_t const kept = y.length >= 7 ? 0 : x.letters << (8 * y.length);
    return {(kept | y.letters) & 0xffffffffffffffull, x.length + y.length};
  }
  template <class T>
  MUSTER_FN static text identity() {
    return {0, 0};
  }
};

struct last_of {
  static constexpr bool is_commutative = false;
  static constexpr bool is_idempotent = true;
  MUSTER_FN std::int32_t operator()(std::int32_t a, std::int32_t b) const { return b != 0 ? b : a; }
  template <class T>
  MUSTER_FN static std::int32_t identity() {
    return 0;
  }
};

// Commutes in value, not in bits: the larger magnitude, and of equal ones the left.
struct size {
  std::int32_t number;
  static std::string name() { return "size"; }
  MUSTER_FN std::int32_t magnitude() const { return number < 0 ? -number : number; }
  MUSTER_FN friend bool operator==(size a, size b) { return a.magnitude() == b.magnitude(); }
};
struct larger_magnitude {
  static constexpr bool is_commutative = true;
  MUSTER_FN size operator()(size a, size b) const { return a.magnitude() >= b.magnitude() ? a : b; }
  template <class T>
  MUSTER_FN static size identity() {
    return {0};
  }
};

// Element i of the tile's sequence, from the number that its lane holds.
template <class T>
struct element;
template <>
struct element<matrix> {
  MUSTER_FN static matrix of(int n) {
    auto const bits = scrambled(static_cast<std::uint64_t>(n));
    return {static_cast<std::uint32_t>(bits) | 1u, static_cast<std::uint32_t>(bits >> 20), static_cast<std::uint32_t>(bits >> 40), static_cast<std::uint32_t>(n)};
  }
};
template <>
struct element<text> {
  MUSTER_FN static text of(int n) { return {static_cast<std::uint64_t>('a' + n % 26), 1}; }
};
template <>
struct element<std::int32_t> {
  MUSTER_FN static std::int32_t of(int n) { return choice(n, 7) - 3; }
};

template <>
struct element<size> {
  MUSTER_FN static size of(int n) { return {element<std::int32_t>::of(n)}; }
};

template <class Op, class T, int N>
struct array_folds {
  using value = T;
  static std::vector<std::string> names() {
    std::vector<std::string> result{"reduce", "reduce_to<last>.broadcast"};
    for (int i = 0; i < 2 * N; ++i)
      result.push_back((i < N ? "inclusive_scan, element " : "exclusive_scan, element ") + std::to_string(i % N) + " of " + std::to_string(N));
    return result;
  }
  static T input(int thread) { return element<T>::of(thread * N); }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, T const, Out const& out) {
    constexpr group_facts facts = Kind::facts;
    T inclusive[N], exclusive[N];
    for (int i = 0; i < N; ++i) inclusive[i] = exclusive[i] = element<T>::of(out.thread * N + i);
    out(0, muster::reduce(g, inclusive, Op{}).value());
    out(1, muster::reduce_to<facts.last_rank>(g, inclusive, Op{}).broadcast(g).value());
    muster::inclusive_scan(g, inclusive, Op{});
    muster::exclusive_scan(g, exclusive, Op{});
    for (int i = 0; i < N; ++i) {
      out(2 + i, inclusive[i]);
      out(2 + N + i, exclusive[i]);
    }
  }
};

// A model of its own: what a lane holds follows from its thread number.
template <class Kind, class Op, class T, int N>
void check_arrays(machine const& on) {
  using body = array_folds<Op, T, N>;
  std::size_t const threads = static_cast<std::size_t>(Kind::threads), results = body::names().size();
  T const untouched = value_of<T>(4711);
  auto const in = on.memory(std::vector<cell<T>>(threads));
  auto target = on.memory(std::vector<cell<T>>(threads * results, cell<T>{untouched}));
  on.run_in_matrix(Kind::shape(), on_members<Kind, body>{}, in.data(), target.data());
  std::vector<cell<T>> wanted(threads * results, cell<T>{untouched});
  for (auto const& tile : tiles_of<Kind>()) {
    T running = Op::template identity<T>();
    for (int thread : tile)
      for (int i = 0; i < N; ++i) {
        wanted[static_cast<std::size_t>(2 + N + i) * threads + static_cast<std::size_t>(thread)].value = running;
        running = Op{}(running, element<T>::of(thread * N + i));
        wanted[static_cast<std::size_t>(2 + i) * threads + static_cast<std::size_t>(thread)].value = running;
      }
    for (int thread : tile)
      for (std::size_t k = 0; k < 2; ++k) wanted[k * threads + static_cast<std::size_t>(thread)].value = running;
  }
  auto const got = target.to_vector();
  differences found(on.name() + ", " + Kind::name() + ", " + type_name<T>());
  for (std::size_t k = 0; k < results; ++k)
    for (std::size_t thread = 0; thread < threads; ++thread)
      found.expect_same_bytes(body::names()[k], static_cast<int>(thread), wanted[k * threads + thread].value, got[k * threads + thread].value);
  check(found);
}

auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<8, 0x3f3f3f3f>, own_tiles<4, 8>, whole_block<32, 45>, own_part_of_tile<8, 0x3f3f3f3f>>;

TEST_CASE("folds of one, two and eight values a lane keep their order") {
  for_each_machine_of_matrix([](machine const& on) {
    hana::for_each(kinds, [&](auto kind) {
      using tested = typename decltype(kind)::type;
      check_arrays<tested, matrix_product, matrix, 1>(on);
      check_arrays<tested, concatenate, text, 2>(on);
      check_arrays<tested, last_of, std::int32_t, 8>(on);
      check_arrays<tested, larger_magnitude, size, 2>(on);
    });
  });
}

}  // namespace folds_of_arrays
