// Integer ops at all combinations of interesting operands, against wide arithmetic.
#include "tests/unit/interp/operands.h"

using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

using Wide = __int128;

// The value that wrapping to T leaves.
template <class T>
T wrap(Wide value) {
  return static_cast<T>(static_cast<UnsignedOf<T>>(static_cast<unsigned __int128>(value)));
}

template <class T>
constexpr int kWidth = 8 * sizeof(T);

template <class T>
Wide unsigned_value(T a) {
  return static_cast<Wide>(static_cast<UnsignedOf<T>>(a));
}

// Bit i of a.
template <class T>
bool bit(T a, int i) {
  return (unsigned_value(a) >> i & 1) != 0;
}

// The integer whose bit i is f(i).
template <class T, class F>
T from_each_bit(F f) {
  Wide value = 0;
  for (int i = 0; i < kWidth<T>; ++i) {
    value |= Wide{f(i)} << i;
  }
  return wrap<T>(value);
}

template <class T>
int modulo_width(T b) {
  return static_cast<int>(unsigned_value(b) % kWidth<T>);
}

}  // namespace

TEST_CASE("integers: sums, differences, products and negation wrap") {
  for_integers([]<class T>() {
    check_op<T, T, T>("add", [](T a, T b) { return wrap<T>(Wide(a) + b); });
    check_op<T, T, T>("sub", [](T a, T b) { return wrap<T>(Wide(a) - b); });
    check_op<T, T, T>("mul", [](T a, T b) {
      return wrap<T>(static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)));
    });
    check_op<T, T>("neg", [](T a) { return wrap<T>(-Wide(a)); });
    check_op<T, T>("abs", [](T a) { return wrap<T>(a < 0 ? -Wide(a) : Wide(a)); });
  });
}

TEST_CASE("integers: quotients go toward zero; by zero and MIN / -1 give the dividend, remainders 0") {
  for_integers([]<class T>() {
    check_op<T, T, T>("div", [](T a, T b) { return b == 0 ? a : wrap<T>(Wide(a) / Wide(b)); });
    check_op<T, T, T>("rem", [](T a, T b) { return b == 0 ? T(0) : wrap<T>(Wide(a) % Wide(b)); });
  });
}

TEST_CASE("integers: minimum, maximum, clamp and sign") {
  for_integers([]<class T>() {
    check_op<T, T, T>("min", [](T a, T b) { return a < b ? a : b; });
    check_op<T, T, T>("max", [](T a, T b) { return a > b ? a : b; });
    check_op<T, T, T, T>("clamp", [](T a, T low, T high) { return std::min(std::max(a, low), high); });
    check_op<T, T>("sign", [](T a) { return static_cast<T>(a > 0 ? 1 : a < 0 ? -1 : 0); });
  });
}

TEST_CASE("integers: the upper half of a product, carry and borrow") {
  for_integers([]<class T>() {
    check_op<T, T, T>("mul_high", [](T a, T b) {
      const auto product = std::is_signed_v<T> ? Wide(a) * Wide(b)
                                               : static_cast<Wide>(static_cast<unsigned __int128>(unsigned_value(a)) *
                                                                   static_cast<unsigned __int128>(unsigned_value(b)));
      return wrap<T>(product >> kWidth<T>);
    });
    check_op<T, T, T>("add_carry", [](T a, T b) {
      return static_cast<T>(unsigned_value(a) + unsigned_value(b) >= Wide(1) << kWidth<T> ? 1 : 0);
    });
    check_op<T, T, T>("sub_borrow",
                      [](T a, T b) { return static_cast<T>(unsigned_value(a) < unsigned_value(b) ? 1 : 0); });
  });
}

TEST_CASE("integers: bitwise logic, of bools too") {
  for_integers([]<class T>() {
    check_op<T, T, T>("and", [](T a, T b) { return from_each_bit<T>([&](int i) { return bit(a, i) && bit(b, i); }); });
    check_op<T, T, T>("or", [](T a, T b) { return from_each_bit<T>([&](int i) { return bit(a, i) || bit(b, i); }); });
    check_op<T, T, T>("xor", [](T a, T b) { return from_each_bit<T>([&](int i) { return bit(a, i) != bit(b, i); }); });
    check_op<T, T>("not", [](T a) { return from_each_bit<T>([&](int i) { return !bit(a, i); }); });
  });
  check_op<bool, bool, bool>("and", [](bool a, bool b) { return a && b; });
  check_op<bool, bool, bool>("or", [](bool a, bool b) { return a || b; });
  check_op<bool, bool, bool>("xor", [](bool a, bool b) { return a != b; });
  check_op<bool, bool>("not", [](bool a) { return !a; });
}

TEST_CASE("integers: shifts and rotates take their amount modulo the width") {
  for_integers([]<class T>() {
    check_op<T, T, T>("shl", [](T a, T b) {
      return from_each_bit<T>([&](int i) { return i >= modulo_width(b) && bit(a, i - modulo_width(b)); });
    });
    check_op<T, T, T>("shr", [](T a, T b) {
      return from_each_bit<T>([&](int i) {
        const int from = i + modulo_width(b);
        return from < kWidth<T> ? bit(a, from) : a < 0;
      });
    });
    check_op<T, T, T>("rotl", [](T a, T b) {
      return from_each_bit<T>([&](int i) { return bit(a, (i + kWidth<T> - modulo_width(b)) % kWidth<T>); });
    });
    check_op<T, T, T>("rotr", [](T a, T b) {
      return from_each_bit<T>([&](int i) { return bit(a, (i + modulo_width(b)) % kWidth<T>); });
    });
  });
}

TEST_CASE("integers: bits are counted and reversed") {
  for_integers([]<class T>() {
    check_op<T, T>("clz", [](T a) {
      int n = 0;
      while (n < kWidth<T> && !bit(a, kWidth<T> - 1 - n)) ++n;
      return static_cast<T>(n);
    });
    check_op<T, T>("ctz", [](T a) {
      int n = 0;
      while (n < kWidth<T> && !bit(a, n)) ++n;
      return static_cast<T>(n);
    });
    check_op<T, T>("popcount", [](T a) {
      int n = 0;
      for (int i = 0; i < kWidth<T>; ++i) n += bit(a, i) ? 1 : 0;
      return static_cast<T>(n);
    });
    check_op<T, T>("reverse_bits",
                   [](T a) { return from_each_bit<T>([&](int i) { return bit(a, kWidth<T> - 1 - i); }); });
  });
}

TEST_CASE("integers: bit fields are extracted and inserted for any offset and count") {
  for_integers([]<class T>() {
    const auto count_of = [](T offset, T count) {
      return static_cast<int>(std::min<Wide>(unsigned_value(count), kWidth<T> - modulo_width(offset)));
    };
    check_op<T, T, T, T>("bit_extract", [&](T a, T offset, T count) {
      const int n = count_of(offset, count);
      return from_each_bit<T>([&](int i) {
        const int top = modulo_width(offset) + n - 1;
        return i < n ? bit(a, modulo_width(offset) + i) : std::is_signed_v<T> && n > 0 && bit(a, top);
      });
    });
    if constexpr (sizeof(T) == 4 || sizeof(T) == 1) {
      check_op<T, T, T, T, T>("bit_insert", [&](T a, T b, T offset, T count) {
        return from_each_bit<T>([&](int i) {
          const int from = i - modulo_width(offset);
          return from >= 0 && from < count_of(offset, count) ? bit(b, from) : bit(a, i);
        });
      });
    }
  });
}

TEST_CASE("integers: comparisons") {
  for_integers([]<class T>() {
    check_op<bool, T, T>("eq", [](T a, T b) { return Wide(a) == Wide(b); });
    check_op<bool, T, T>("ne", [](T a, T b) { return Wide(a) != Wide(b); });
    check_op<bool, T, T>("lt", [](T a, T b) { return Wide(a) < Wide(b); });
    check_op<bool, T, T>("le", [](T a, T b) { return Wide(a) <= Wide(b); });
    check_op<bool, T, T>("gt", [](T a, T b) { return Wide(a) > Wide(b); });
    check_op<bool, T, T>("ge", [](T a, T b) { return Wide(a) >= Wide(b); });
  });
  check_op<bool, bool, bool>("eq", [](bool a, bool b) { return a == b; });
  check_op<bool, bool, bool>("ne", [](bool a, bool b) { return a != b; });
}
