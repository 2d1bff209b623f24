#include "runtime/print.h"

#include "runtime/support/check.h"

#include <fmt/args.h>

#include <bit>
#include <cstdio>
#include <mutex>
#include <utility>

namespace weft::runtime {
namespace {

using Arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half} >> 15 << 31;
  const std::uint32_t exponent = half >> 10 & 0x1f;
  const std::uint32_t mantissa = half & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;  // zero or denormal
  return sign != 0 ? -magnitude : magnitude;
}

void push(Arguments& arguments, char type, std::uint64_t slot) {
  switch (type) {
    case 'b': return arguments.push_back((slot & 0xff) != 0);
    case 'c': return arguments.push_back(int{static_cast<std::int8_t>(slot)});
    case 'C': return arguments.push_back(unsigned{static_cast<std::uint8_t>(slot)});
    case 's': return arguments.push_back(int{static_cast<std::int16_t>(slot)});
    case 'S': return arguments.push_back(unsigned{static_cast<std::uint16_t>(slot)});
    case 'i': return arguments.push_back(static_cast<std::int32_t>(slot));
    case 'I': return arguments.push_back(static_cast<std::uint32_t>(slot));
    case 'l': return arguments.push_back(static_cast<std::int64_t>(slot));
    case 'L': return arguments.push_back(slot);
    case 'h': return arguments.push_back(half_to_float(static_cast<std::uint16_t>(slot)));
    case 'f': return arguments.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(slot)));
    case 'd': return arguments.push_back(std::bit_cast<double>(slot));
    default: WEFT_UNREACHABLE("print value of type '{}'", type);
  }
}

void print_to_stdout(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

struct Sink {
  std::mutex mutex;
  PrintSink function = print_to_stdout;
};

// Never destroyed: a thread may print after static destruction.
Sink& sink() {
  static Sink* const instance = new Sink;
  return *instance;
}

}  // namespace

void set_print_sink(PrintSink function) {
  if (function == nullptr) function = print_to_stdout;
  const std::lock_guard lock(sink().mutex);
  sink().function.swap(function);
}

void print_line(std::string_view line) {
  const std::lock_guard lock(sink().mutex);
  sink().function(line);
}

std::string format_print(const abi::SiteInfo& site, const std::uint64_t* values) {
  Arguments arguments;
  for (std::uint32_t i = 0; i < site.value_count; ++i) push(arguments, site.types[i], values[i]);
  try {
    return fmt::vformat(site.text, arguments);
  } catch (const fmt::format_error& error) {
    return fmt::format("{} ({})", site.text, error.what());
  }
}

}  // namespace weft::runtime
