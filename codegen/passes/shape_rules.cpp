#include "codegen/passes/shape_rules.h"

#include <algorithm>
#include <bit>

namespace weft::passes {

namespace {

std::uint8_t align_of(std::uint64_t value) { return static_cast<std::uint8_t>(std::countr_zero(value)); }

bool known(Shape s) { return s.kind != ShapeKind::unknown; }

// The sum or difference of two shapes none of which is varying; `sign` is 1 or -1.
Shape combine(Shape a, Shape b, std::int64_t sign) {
  if (a.kind == ShapeKind::varying || b.kind == ShapeKind::varying || !known(a) || !known(b)) {
    return known(a) && known(b) ? kVarying : Shape{};
  }
  const std::int64_t stride = a.stride + sign * b.stride;
  if (a.kind == ShapeKind::rows || b.kind == ShapeKind::rows) {
    return rows_shape(stride);
  }
  return affine_shape(stride, std::min(a.base_align, b.base_align));
}

// Whether base + stride * lane never passes a multiple of 2^bits, so that the lower bits just add up.
bool stays_in_window(Shape a, std::uint32_t bits, std::uint32_t width) {
  if (a.kind != ShapeKind::affine || a.stride < 0) {
    return false;
  }
  const std::uint32_t window = std::min<std::uint32_t>({a.base_align, bits, 62});
  return static_cast<std::uint64_t>(a.stride) < (std::uint64_t{1} << 32) &&
         static_cast<std::uint64_t>(a.stride) * (width - 1) < (std::uint64_t{1} << window);
}

}  // namespace

Shape uniform_shape(std::uint64_t value) { return {ShapeKind::uniform, align_of(value), 0}; }

Shape affine_shape(std::int64_t stride, std::uint8_t base_align) {
  return {stride == 0 ? ShapeKind::uniform : ShapeKind::affine, base_align, stride};
}

Shape rows_shape(std::int64_t stride) { return {ShapeKind::rows, 0, stride}; }

Shape join(Shape a, Shape b) {
  if (!known(a) || !known(b)) {
    return known(a) ? a : b;
  }
  if (a.kind == ShapeKind::varying || b.kind == ShapeKind::varying || a.stride != b.stride) {
    return kVarying;
  }
  return {std::max(a.kind, b.kind), std::min(a.base_align, b.base_align), a.stride};
}

Shape add_shape(Shape a, Shape b) { return combine(a, b, 1); }
Shape sub_shape(Shape a, Shape b) { return combine(a, b, -1); }

Shape mul_shape(Shape a, std::uint64_t factor) {
  if (a.kind == ShapeKind::varying || !known(a)) {
    return a;
  }
  const auto stride = static_cast<std::int64_t>(static_cast<std::uint64_t>(a.stride) * factor);
  if (a.kind == ShapeKind::rows) {
    return rows_shape(stride);
  }
  return affine_shape(stride, static_cast<std::uint8_t>(std::min(64, a.base_align + align_of(factor))));
}

Shape pure_shape(std::span<const Shape> operands) {
  ShapeKind kind = ShapeKind::uniform;
  for (const Shape s : operands) {
    const bool constant_in_rows = s.kind == ShapeKind::rows && s.stride == 0;
    if (s.kind == ShapeKind::varying || s.kind == ShapeKind::affine || (s.kind == ShapeKind::rows && s.stride != 0)) {
      return kVarying;
    }
    kind = !known(s) ? ShapeKind::unknown : constant_in_rows && kind != ShapeKind::unknown ? ShapeKind::rows : kind;
  }
  return {kind, 0, 0};
}

Shape low_bits_shape(Shape a, std::uint32_t bits, std::uint32_t width) {
  if (stays_in_window(a, bits, width)) {
    return affine_shape(a.stride, static_cast<std::uint8_t>(std::min<std::uint32_t>(a.base_align, bits)));
  }
  return pure_shape(std::span(&a, 1));
}

Shape high_bits_shape(Shape a, std::uint32_t bits, std::uint32_t width) {
  if (stays_in_window(a, bits, width)) {
    return {ShapeKind::uniform, static_cast<std::uint8_t>(a.base_align > bits ? a.base_align - bits : 0), 0};
  }
  return pure_shape(std::span(&a, 1));
}

bool never_wraps(Shape a, std::uint32_t bits, std::uint32_t width) {
  return a.kind == ShapeKind::uniform || stays_in_window(a, bits, width);
}

}  // namespace weft::passes
