#include "tools/argument.h"

#include "codegen/ir/text/literal.h"
#include "runtime/support/files.h"
#include "tools/exit_code.h"
#include "tools/generate.h"
#include "tools/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace weft::tools {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::uint64_t whole_number(std::string_view text, std::string_view what) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw UsageFailure(fmt::format("the {} '{}' is no whole number", what, text));
}

std::vector<std::byte> to_bytes(const std::string& text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// A value of the parameter's type, number by number.
std::vector<std::byte> read_value(const ValueType& type, std::string_view text) {
  const std::vector<std::string_view> numbers = split(text, ',');
  if (type.is_opaque) throw UsageFailure(fmt::format("a value of type {} is given as @FILE with its bytes", type.text));
  if (numbers.size() != type.scalar_count()) {
    throw UsageFailure(fmt::format("{} numbers, expected {} for {}", numbers.size(), type.scalar_count(), type.text));
  }
  std::vector<std::byte> bytes;
  for (const std::string_view number : numbers) {
    const ir::ScalarBits value = ir::read_scalar(type.scalar, number);
    if (!value.error.empty()) throw UsageFailure(value.error);
    const auto raw = std::as_bytes(std::span(&value.bits, 1)).first(scalar_size_bytes(type.scalar));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  return bytes;
}

// The scalar type and the number of scalars that TYPE and COUNT of a generator mean for the parameter.
struct Amount {
  ir::TypeKind scalar;
  std::uint64_t count;
};

Amount amount_of(const ValueType& type, bool is_bytes, std::string_view asked, std::uint64_t count) {
  const ir::TypeKind scalar = find_scalar(asked);
  if (is_bytes && scalar != ir::TypeKind::void_) return {scalar, count};
  const bool is_whole = asked.empty() || asked == type.text;
  if (!is_whole && (type.is_opaque || scalar != type.scalar)) {
    throw UsageFailure(fmt::format("the type is {}, expected {}", asked, type.text));
  }
  std::uint64_t scalars = count;
  if (is_whole && __builtin_mul_overflow(count, type.scalar_count(), &scalars)) {
    throw UsageFailure(fmt::format("{} values are too many", count));
  }
  return {type.scalar, scalars};
}

std::vector<std::byte> read_generated(const ValueType& type, bool is_bytes,
                                      const std::vector<std::string_view>& parts) {
  const std::string_view word = parts[0];
  if (parts.size() < 3) throw UsageFailure(fmt::format("expected {}:TYPE:COUNT", word));
  if (type.is_opaque && word != "zeros")
    throw UsageFailure(fmt::format("values of type {} can be zeros or come from a file", type.text));
  const Amount amount = amount_of(type, is_bytes, parts[1], whole_number(parts[2], "count"));
  return generate(word, amount.scalar, amount.count, {parts.begin() + 3, parts.end()});
}

bool is_npy(const std::string& file) { return file.ends_with(".npy"); }

std::vector<std::byte> read_array_file(const ValueType& type, bool is_bytes, const std::string& file) {
  const std::string bytes = read_file(file);
  if (!is_npy(file)) return to_bytes(bytes);
  Array array = read_npy(std::as_bytes(std::span(bytes)), file);
  const bool takes_any = is_bytes || (type.is_opaque && array.scalar == ir::TypeKind::u8);
  if (!takes_any && array.scalar != type.scalar) {
    throw UsageFailure(fmt::format("array file '{}' holds {}, expected {} for {}", file, ir::scalar_text(array.scalar),
                                   ir::scalar_text(type.scalar), type.text));
  }
  // Elements of several numbers are the last dimensions, or everything is flat.
  const bool is_flat = array.shape.size() <= 1;
  const bool fits = array.shape.size() >= type.shape.size() &&
                    std::equal(type.shape.rbegin(), type.shape.rend(), array.shape.rbegin());
  if (!is_bytes && !is_flat && !fits) {
    throw UsageFailure(fmt::format("array file '{}' has shape ({}), expected the last dimensions to be ({}) for {}",
                                   file, fmt::join(array.shape, ", "), fmt::join(type.shape, ", "), type.text));
  }
  return std::move(array.bytes);
}

KernelArgument read_argument(const ShaderInfo::Argument& asked, const std::string& text) {
  KernelArgument argument;
  argument.name = asked.name;
  argument.is_buffer = asked.is_buffer;
  argument.type = value_type(asked.value_type, asked.value_bytes);
  const bool is_bytes = asked.value_type == "byte";
  const std::vector<std::string_view> parts = split(text, ':');
  if (text.starts_with('@')) {
    argument.bytes = read_array_file(argument.type, is_bytes, text.substr(1));
  } else if (is_generator(parts[0])) {
    argument.bytes = read_generated(argument.type, is_bytes, parts);
  } else if (argument.is_buffer) {
    throw UsageFailure(fmt::format("'{}' is no array: expected @FILE, zeros:, iota:, random: or fill:", text));
  } else {
    argument.bytes = read_value(argument.type, text);
  }
  const std::uint64_t size = argument.type.size_bytes;
  if (argument.is_buffer ? argument.bytes.size() % size != 0 : argument.bytes.size() != size) {
    throw UsageFailure(fmt::format("{} bytes, expected {} {} for {}", argument.bytes.size(),
                                   argument.is_buffer ? "a multiple of" : "exactly", size, argument.type.text));
  }
  return argument;
}

std::string signature(const ShaderInfo& kernel) {
  std::string text;
  for (const ShaderInfo::Argument& argument : kernel.arguments) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", argument.name, argument.type);
  }
  return fmt::format("kernel '{}' ({})", kernel.name, text);
}

}  // namespace

std::vector<KernelArgument> read_arguments(const ShaderInfo& kernel, const std::vector<std::string>& texts) {
  std::vector<std::optional<KernelArgument>> found(kernel.arguments.size());
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw UsageFailure(fmt::format("--arg {}: expected NAME=WHAT", text));
    const std::string name = text.substr(0, equals);
    const auto asked = std::ranges::find(kernel.arguments, name, &ShaderInfo::Argument::name);
    if (asked == kernel.arguments.end())
      throw UsageFailure(fmt::format("--arg {}: {} has no argument '{}'", text, signature(kernel), name));
    std::optional<KernelArgument>& place = found[static_cast<std::size_t>(asked - kernel.arguments.begin())];
    if (place) throw UsageFailure(fmt::format("--arg {}: '{}' is given twice", text, name));
    try {
      place = read_argument(*asked, text.substr(equals + 1));
    } catch (const UsageFailure& failure) {
      throw UsageFailure(fmt::format("--arg {}: {}", text, failure.what()));
    }
  }
  std::vector<KernelArgument> arguments;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      throw UsageFailure(fmt::format("{} needs --arg {}=...", signature(kernel), kernel.arguments[i].name));
    arguments.push_back(std::move(*found[i]));
  }
  return arguments;
}

}  // namespace weft::tools
