#include "codegen/ir/text/literal.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/ir/builder.h"

namespace weft::ir {

namespace {

ScalarBits bits_of(std::uint64_t bits) { return {bits, {}}; }

ScalarBits out_of_range(TypeKind scalar, std::string_view digits) {
  return {0, fmt::format("{} is out of range for {}", digits, scalar_text(scalar))};
}

ScalarBits malformed(TypeKind scalar, std::string_view digits) {
  return {0, fmt::format("`{}` is no {}", digits, scalar_text(scalar))};
}

std::uint64_t low_bits(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

template <class Number, class... Format>
std::errc read_all(std::string_view digits, Number& number, Format... format) {
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, format...);
  return error == std::errc() && stop != end ? std::errc::invalid_argument : error;
}

ScalarBits read_hex(TypeKind scalar, std::string_view digits) {
  std::uint64_t bits = 0;
  const std::errc error = read_all(digits.substr(2), bits, 16);
  if (error == std::errc::invalid_argument) {
    return malformed(scalar, digits);
  }
  return error != std::errc() || bits > low_bits(scalar_bits(scalar)) ? out_of_range(scalar, digits) : bits_of(bits);
}

ScalarBits read_integer(TypeKind scalar, std::string_view digits) {
  const bool negative = digits.starts_with('-');
  const bool is_signed = scalar_category(scalar) == ScalarCategory::signed_integer;
  std::uint64_t magnitude = 0;
  const std::errc error = read_all(digits.substr(negative ? 1 : 0), magnitude, 10);
  if (error == std::errc::invalid_argument) {
    return malformed(scalar, digits);
  }
  const std::uint32_t bits = scalar_bits(scalar);
  const std::uint64_t most = is_signed ? low_bits(bits - 1) + (negative ? 1 : 0) : negative ? 0 : low_bits(bits);
  if (error != std::errc() || magnitude > most) {
    return out_of_range(scalar, digits);
  }
  return bits_of((negative ? 0 - magnitude : magnitude) & low_bits(bits));
}

// Numbers too small to be told from zero are zero; from_chars calls them, like those too large, out of range.
template <class Float>
std::optional<Float> read_float(std::string_view digits) {
  Float value = 0;
  const std::errc error = read_all(digits, value);
  if (error == std::errc()) {
    return value;
  }
  if (error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  const bool negative = digits.starts_with('-');
  const std::size_t exponent = digits.find_first_of("eE");
  const bool tiny = (exponent != std::string_view::npos && digits.substr(exponent + 1).starts_with('-')) ||
                    digits.substr(negative ? 1 : 0).starts_with("0.");
  const Float magnitude = tiny ? Float(0) : std::numeric_limits<Float>::infinity();
  return negative ? -magnitude : magnitude;
}

template <class Float>
ScalarBits read_floating(TypeKind scalar, std::string_view digits) {
  const std::string_view magnitude = digits.substr(digits.starts_with('-') ? 1 : 0);
  if (magnitude == "inf" || digits == "nan") {
    const double value = digits == "nan" ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
    return bits_of(scalar_bits_of(scalar, digits.starts_with('-') ? -value : value));
  }
  if (magnitude.empty() || magnitude.front() < '0' || magnitude.front() > '9') {
    return malformed(scalar, digits);
  }
  const auto value = read_float<Float>(digits);
  if (!value) {
    return malformed(scalar, digits);
  }
  const std::uint64_t bits = scalar_bits_of(scalar, *value);
  const std::uint64_t infinity = scalar_bits_of(scalar, std::copysign(HUGE_VAL, static_cast<double>(*value)));
  return bits == infinity ? out_of_range(scalar, digits) : bits_of(bits);
}

template <class Float>
std::string float_literal(Float value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string floating_literal(TypeKind scalar, std::uint64_t bits) {
  const double value = scalar == TypeKind::f64   ? std::bit_cast<double>(bits)
                       : scalar == TypeKind::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                                 : std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits));
  if (std::isnan(value)) {
    const bool plain = bits == scalar_bits_of(scalar, std::numeric_limits<double>::quiet_NaN());
    return plain ? "nan" : fmt::format("0x{:0{}x}", bits, scalar_bits(scalar) / 4);
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  return scalar == TypeKind::f64 ? float_literal(value) : float_literal(static_cast<float>(value));
}

}  // namespace

bool is_literal_word(std::string_view word) {
  const std::string_view digits = split_literal(word).digits;
  return digits == "true" || digits == "false" || digits == "inf" || digits == "nan";
}

TypeId scalar_type_of(std::string_view word) {
#define WEFT_SCALAR(name, id, text, bits, category, letter) \
  if (word == text) return k##id;
#include "codegen/ir/scalars.def"
  return {};
}

Literal split_literal(std::string_view token) {
  const std::size_t underscore = token.find('_');
  if (underscore == std::string_view::npos) {
    return {token, {}, false};
  }
  const TypeId suffix = scalar_type_of(token.substr(underscore + 1));
  return {token.substr(0, underscore), suffix, !suffix.valid()};
}

ScalarBits read_scalar(TypeKind scalar, std::string_view digits) {
  if (scalar == TypeKind::boolean) {
    return digits == "true" ? bits_of(1) : digits == "false" ? bits_of(0) : malformed(scalar, digits);
  }
  if (digits.starts_with("0x")) {
    return read_hex(scalar, digits);
  }
  if (scalar_category(scalar) != ScalarCategory::floating) {
    return read_integer(scalar, digits);
  }
  return scalar == TypeKind::f32 ? read_floating<float>(scalar, digits) : read_floating<double>(scalar, digits);
}

std::string scalar_literal(TypeKind scalar, std::uint64_t bits) {
  switch (scalar_category(scalar)) {
    case ScalarCategory::boolean: return bits != 0 ? "true" : "false";
    case ScalarCategory::unsigned_integer: return fmt::format("{}", bits);
    case ScalarCategory::signed_integer: {
      const std::uint32_t unused = 64 - scalar_bits(scalar);
      return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
    }
    case ScalarCategory::floating: return floating_literal(scalar, bits);
  }
  return {};
}

}  // namespace weft::ir
