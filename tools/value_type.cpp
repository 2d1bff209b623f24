#include "tools/value_type.h"

#include "codegen/ir/text/literal.h"

#include <charconv>
#include <optional>

namespace weft::tools {
namespace {

struct Numbers {
  ir::TypeKind scalar = ir::TypeKind::void_;
  std::vector<std::uint64_t> shape;
};

// Reads `vec<f32, 3>`, `mat<f32, 4, 4>` and `array<T, n>` of such; nothing for other types, and for those that say a
// stride or an order, as their numbers are not as plain.
class NumbersReader {
 public:
  explicit NumbersReader(std::string_view text) : rest_(text) {}

  std::optional<Numbers> read() {
    std::optional<Numbers> numbers = read_type();
    if (!rest_.empty()) return {};
    return numbers;
  }

 private:
  bool accept(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read_extent(Numbers& numbers) {
    std::uint64_t extent = 0;
    if (!accept(", ")) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    numbers.shape.push_back(extent);
    return true;
  }

  std::optional<Numbers> read_type() {
    if (accept("vec<")) return read_aggregate(1);
    if (accept("mat<")) return read_aggregate(2);
    if (accept("array<")) return read_aggregate(1);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(",>"));
    const ir::TypeKind scalar = find_scalar(word);
    if (scalar == ir::TypeKind::void_) return {};
    rest_.remove_prefix(word.size());
    return Numbers{scalar, {}};
  }

  std::optional<Numbers> read_aggregate(int extents) {
    const std::optional<Numbers> element = read_type();
    if (!element) return {};
    Numbers numbers{element->scalar, {}};
    for (int i = 0; i < extents; ++i) {
      if (!read_extent(numbers)) return {};
    }
    if (!accept(">")) return {};
    numbers.shape.insert(numbers.shape.end(), element->shape.begin(), element->shape.end());
    return numbers;
  }

  std::string_view rest_;
};

std::uint64_t product(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  return count;
}

}  // namespace

std::uint64_t ValueType::scalar_count() const { return product(shape); }

std::uint64_t scalar_size_bytes(ir::TypeKind scalar) { return (ir::scalar_bits(scalar) + 7) / 8; }

ir::TypeKind find_scalar(std::string_view text) {
  const ir::TypeId id = ir::scalar_type_of(text);
  return id.valid() ? static_cast<ir::TypeKind>(id.index) : ir::TypeKind::void_;
}

ValueType value_type(std::string_view text, std::uint64_t size_bytes) {
  ValueType type;
  type.text = text;
  type.size_bytes = size_bytes;
  const std::optional<Numbers> numbers = NumbersReader(text).read();
  if (numbers && product(numbers->shape) * scalar_size_bytes(numbers->scalar) == size_bytes) {
    type.scalar = numbers->scalar;
    type.shape = numbers->shape;
  } else {
    type.shape = {size_bytes};
    type.is_opaque = true;
  }
  return type;
}

}  // namespace weft::tools
