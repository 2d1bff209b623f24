#include "runtime/support/format_values.h"

#include <fmt/format.h>

#include <bit>

#include "runtime/support/check.h"

namespace weft {

namespace {

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half} >> 15 << 31;
  const std::uint32_t exponent = half >> 10 & 0x1f;
  const std::uint32_t mantissa = half & 0x3ff;
  if (exponent == 0x1f) {
    return std::bit_cast<float>(sign | 0x7f800000U | mantissa << 13);
  }
  if (exponent != 0) {
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  }
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;  // zero or denormal
  return sign != 0 ? -magnitude : magnitude;
}

std::string text(char type, std::uint64_t slot) {
  switch (type) {
    case 'b': return (slot & 0xff) != 0 ? "true" : "false";
    case 'c': return fmt::to_string(int{static_cast<std::int8_t>(slot)});
    case 'C': return fmt::to_string(unsigned{static_cast<std::uint8_t>(slot)});
    case 's': return fmt::to_string(static_cast<std::int16_t>(slot));
    case 'S': return fmt::to_string(static_cast<std::uint16_t>(slot));
    case 'i': return fmt::to_string(static_cast<std::int32_t>(slot));
    case 'I': return fmt::to_string(static_cast<std::uint32_t>(slot));
    case 'l': return fmt::to_string(static_cast<std::int64_t>(slot));
    case 'L': return fmt::to_string(slot);
    case 'h': return fmt::to_string(half_to_float(static_cast<std::uint16_t>(slot)));
    case 'f': return fmt::to_string(std::bit_cast<float>(static_cast<std::uint32_t>(slot)));
    case 'd': return fmt::to_string(std::bit_cast<double>(slot));
    default: WEFT_UNREACHABLE("a printed value of type '{}'", type);
  }
}

}  // namespace

std::string format_values(std::string_view format, std::string_view types, std::span<const std::uint64_t> values) {
  WEFT_CHECK_EQ(types.size(), values.size());
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::size_t place = format.find("{}", done);
    if (place == std::string_view::npos) {
      break;
    }
    result += format.substr(done, place - done);
    result += text(types[i], values[i]);
    done = place + 2;
  }
  result += format.substr(done);
  return result;
}

}  // namespace weft
