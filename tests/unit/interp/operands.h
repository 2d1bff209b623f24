// Operands at which ops are likely to be wrong, and the running of one op over all combinations of them.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "codegen/interp/scalar.h"
#include "tests/unit/interp/fixture.h"

namespace weft::interp::testing {

template <class T>
constexpr const char* kTypeText = nullptr;
template <>
inline constexpr const char* kTypeText<bool> = "bool";
template <>
inline constexpr const char* kTypeText<std::int8_t> = "i8";
template <>
inline constexpr const char* kTypeText<std::int16_t> = "i16";
template <>
inline constexpr const char* kTypeText<std::int32_t> = "i32";
template <>
inline constexpr const char* kTypeText<std::int64_t> = "i64";
template <>
inline constexpr const char* kTypeText<std::uint8_t> = "u8";
template <>
inline constexpr const char* kTypeText<std::uint16_t> = "u16";
template <>
inline constexpr const char* kTypeText<std::uint32_t> = "u32";
template <>
inline constexpr const char* kTypeText<std::uint64_t> = "u64";
template <>
inline constexpr const char* kTypeText<Half> = "f16";
template <>
inline constexpr const char* kTypeText<float> = "f32";
template <>
inline constexpr const char* kTypeText<double> = "f64";

// As std::vector<bool> has no data().
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
int least_exponent() {
  return std::is_same_v<T, Half> ? -24 : std::is_same_v<T, float> ? -149 : -1074;
}
template <class T>
double greatest() {
  return std::is_same_v<T, Half>    ? 65504.0
         : std::is_same_v<T, float> ? static_cast<double>(std::numeric_limits<float>::max())
                                    : std::numeric_limits<double>::max();
}

template <class T>
std::vector<Stored<T>> interesting() {
  if constexpr (Boolean<T>) {
    return {0, 1};
  } else if constexpr (Floating<T>) {
    const double inf = std::numeric_limits<double>::infinity();
    const double least = std::ldexp(1.0, least_exponent<T>());
    std::vector<T> values;
    for (const double v : {0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 42.0, 127.5, 200.0, 1000.75, least, 3 * least, 4097 * least,
                           greatest<T>(), greatest<T>() / 3, inf}) {
      values.push_back(static_cast<T>(v));
      values.push_back(static_cast<T>(-v));
    }
    values.push_back(static_cast<T>(std::numeric_limits<double>::quiet_NaN()));
    for (const double v : {2147483647.0, 2147483648.0, 4294967295.0, 9.3e18, 1.9e19}) {
      values.push_back(static_cast<T>(v));
      values.push_back(static_cast<T>(-v));
    }
    return values;
  } else {
    const T min = std::numeric_limits<T>::min();
    const T max = std::numeric_limits<T>::max();
    constexpr int kWidth = 8 * sizeof(T);
    return {0,
            1,
            2,
            3,
            7,
            42,
            static_cast<T>(-1),
            static_cast<T>(-2),
            static_cast<T>(-7),
            min,
            static_cast<T>(min + 1),
            max,
            static_cast<T>(max - 1),
            static_cast<T>(max / 2),
            static_cast<T>(0x5a5a5a5a5a5a5a5a),
            kWidth - 1,
            kWidth,
            kWidth + 1};
  }
}

// Every combination of interesting operands, as one column for each operand.
template <class... T>
std::tuple<std::vector<Stored<T>>...> combinations() {
  std::tuple<std::vector<Stored<T>>...> columns;
  const std::tuple<std::vector<Stored<T>>...> values{interesting<T>()...};
  const auto fill = [&]<std::size_t... I>(std::index_sequence<I...>) {
    const std::size_t total = (std::get<I>(values).size() * ... * 1);
    for (std::size_t n = 0; n < total; ++n) {
      std::size_t rest = n;
      const auto push = [&](auto& column, const auto& from) {
        column.push_back(from[rest % from.size()]);
        rest /= from.size();
      };
      (push(std::get<I>(columns), std::get<I>(values)), ...);
    }
  };
  fill(std::index_sequence_for<T...>());
  return columns;
}

// A kernel that computes one op of operands read from buffers: `text` is the op with what follows it, such as "add" or
// "cast i32"; `shape` wraps each type, such as "vec<{}, 3>".
template <class R, class... T>
std::string op_kernel(const std::string& text, const std::string& shape = "{}") {
  const auto type = [&](const char* scalar) { return fmt::format(fmt::runtime(shape), scalar); };
  std::string parameters;
  std::string reads;
  std::string operands;
  int i = 0;
  for (const char* scalar : {kTypeText<T>...}) {
    parameters += fmt::format("%in{}: buffer<{}>, ", i, type(scalar));
    reads += fmt::format("  %x{} = read %in{}[dispatch_id.x]\n", i, i);
    operands += fmt::format("{} %x{}", i == 0 ? "" : ",", i);
    ++i;
  }
  return fmt::format(
      "weft 1\nkernel @k({}%out: buffer<{}>) block(64) math(precise) {{\n{}  %r = {}{}\n  write %out[dispatch_id.x], "
      "%r\n}}\n",
      parameters, type(kTypeText<R>), reads, text, operands);
}

template <class R>
bool same(R a, R b) {
  if constexpr (Floating<R>) {
    return (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b))) || to_bits(a) == to_bits(b);
  } else {
    return a == b;
  }
}

template <class T>
std::string shown(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return fmt::format("{} ({:#x})", static_cast<float>(value), to_bits(value));
  } else {
    return fmt::format("{} ({:#x})", value, to_bits(value));
  }
}

// Runs the op over all combinations and compares each result with `expected(operands...)` by bits, NaNs being equal.
template <class R, class... T, class Expected>
void check_op(const std::string& text, Expected expected) {
  auto columns = combinations<T...>();
  const std::size_t count = std::get<0>(columns).size();
  std::vector<Stored<R>> out(count);
  const auto module = prepared(op_kernel<R, T...>(text));
  std::apply(
      [&](auto&... in) {
        const Outcome outcome = run(*module, {static_cast<std::uint32_t>(count), 1, 1}, {}, in..., out);
        REQUIRE_FALSE(outcome.fault);
      },
      columns);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count && wrong < 5; ++i) {
    std::apply(
        [&](const auto&... in) {
          const R want = expected(static_cast<T>(in[i])...);
          const R found = static_cast<R>(out[i]);
          if (!same(found, want)) {
            ++wrong;
            std::string operands;
            ((operands += shown(in[i]) + " "), ...);
            FAIL_CHECK(fmt::format("{} {}: {} gives {}, expected {}", text, kTypeText<R>, operands, shown(found),
                                   shown(want)));
          }
        },
        columns);
  }
  if (wrong == 0) {
    SUCCEED();
  }
}

// Calls body.operator()<T>() with T each of the types.
template <class Body>
void for_integers(Body body) {
  const auto each = [&]<class... T>() { (body.template operator()<T>(), ...); };
  each.template operator()<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                           std::uint32_t, std::uint64_t>();
}
template <class Body>
void for_floats(Body body) {
  const auto each = [&]<class... T>() { (body.template operator()<T>(), ...); };
  each.template operator()<Half, float, double>();
}

}  // namespace weft::interp::testing
