#include "tools/generate.h"

#include "codegen/ir/builder.h"
#include "codegen/ir/text/literal.h"
#include "tools/exit_code.h"
#include "tools/value_type.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <functional>
#include <limits>

namespace weft::tools {
namespace {

// Bits of scalar number i.
using Sequence = std::function<std::uint64_t(std::uint64_t)>;

// splitmix64 (Steele, Lea, Flood 2014), whose i-th output needs no others.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Floats get as many random bits as their significand holds, so that none is rounded up to 1.
std::uint64_t random_scalar(ir::TypeKind scalar, std::uint64_t bits) {
  switch (ir::scalar_category(scalar)) {
    case ir::ScalarCategory::boolean: return bits >> 63;
    case ir::ScalarCategory::signed_integer:
    case ir::ScalarCategory::unsigned_integer: return bits;
    case ir::ScalarCategory::floating: break;
  }
  const int digits = ir::scalar_bits(scalar) == 16 ? 11 : ir::scalar_bits(scalar) == 32 ? 24 : 53;
  const double value = static_cast<double>(bits >> (64 - digits)) / static_cast<double>(std::uint64_t{1} << digits);
  return ir::scalar_bits_of(scalar, value);
}

std::uint64_t seed_of(const std::vector<std::string_view>& parameters) {
  if (parameters.empty()) return 1;
  std::uint64_t seed = 0;
  const std::string_view text = parameters[0];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UsageFailure(fmt::format("the seed '{}' is no whole number", text));
  }
  return seed;
}

Sequence zeros(ir::TypeKind /*scalar*/, const std::vector<std::string_view>& /*parameters*/) {
  return [](std::uint64_t) { return 0; };
}

Sequence iota(ir::TypeKind scalar, const std::vector<std::string_view>& /*parameters*/) {
  if (ir::scalar_category(scalar) == ir::ScalarCategory::boolean) return [](std::uint64_t i) { return i & 1; };
  if (ir::scalar_category(scalar) != ir::ScalarCategory::floating) return [](std::uint64_t i) { return i; };
  return [scalar](std::uint64_t i) { return ir::scalar_bits_of(scalar, static_cast<double>(i)); };
}

Sequence random(ir::TypeKind scalar, const std::vector<std::string_view>& parameters) {
  return [scalar, seed = seed_of(parameters)](std::uint64_t i) { return random_scalar(scalar, random_bits(seed, i)); };
}

Sequence fill(ir::TypeKind scalar, const std::vector<std::string_view>& parameters) {
  const ir::ScalarBits value = ir::read_scalar(scalar, parameters[0]);
  if (!value.error.empty()) throw UsageFailure(value.error);
  return [bits = value.bits](std::uint64_t) { return bits; };
}

struct Generator {
  std::string_view word;
  std::size_t min_parameters;
  std::size_t max_parameters;
  Sequence (*make)(ir::TypeKind, const std::vector<std::string_view>&);
};
constexpr Generator kGenerators[] = {
    {"zeros", 0, 0, zeros}, {"iota", 0, 0, iota}, {"random", 0, 1, random}, {"fill", 1, 1, fill}};

const Generator* find(std::string_view word) {
  for (const Generator& generator : kGenerators) {
    if (generator.word == word) return &generator;
  }
  return nullptr;
}

}  // namespace

bool is_generator(std::string_view word) { return find(word) != nullptr; }

std::vector<std::byte> generate(std::string_view word, ir::TypeKind scalar, std::uint64_t count,
                                const std::vector<std::string_view>& parameters) {
  const Generator* const generator = find(word);
  if (parameters.size() < generator->min_parameters || parameters.size() > generator->max_parameters) {
    throw UsageFailure(
        fmt::format("{} has {} parts behind its count, expected {}", word, parameters.size(),
                    generator->min_parameters == generator->max_parameters
                        ? fmt::to_string(generator->min_parameters)
                        : fmt::format("{} to {}", generator->min_parameters, generator->max_parameters)));
  }
  const std::uint64_t size = scalar_size_bytes(scalar);
  if (count > std::numeric_limits<std::int64_t>::max() / size)
    throw UsageFailure(fmt::format("{} values are too many", count));
  const Sequence sequence = generator->make(scalar, parameters);
  std::vector<std::byte> bytes(count * size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = sequence(i);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

}  // namespace weft::tools
