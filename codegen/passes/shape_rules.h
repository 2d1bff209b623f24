// How shapes combine: one rule for each way of computing a value. Used by the shape analysis for values and variables,
// and by the lowering for the addresses that it computes itself, so that both always agree.
#pragma once

#include <cstdint>
#include <span>

#include "codegen/passes/shape.h"

namespace weft::passes {

[[nodiscard]] Shape uniform_shape(std::uint64_t value);  // of a known constant
[[nodiscard]] inline Shape uniform_shape() { return {ShapeKind::uniform, 0, 0}; }
[[nodiscard]] Shape affine_shape(std::int64_t stride, std::uint8_t base_align);  // uniform if the stride is 0
[[nodiscard]] Shape rows_shape(std::int64_t stride);

// What a variable is that holds sometimes one, sometimes the other.
[[nodiscard]] Shape join(Shape a, Shape b);

[[nodiscard]] Shape add_shape(Shape a, Shape b);
[[nodiscard]] Shape sub_shape(Shape a, Shape b);
[[nodiscard]] Shape mul_shape(Shape a, std::uint64_t factor);
// Any other pure function of the operands: uniform of uniform ones, constant in rows of such, else varying.
[[nodiscard]] Shape pure_shape(std::span<const Shape> operands);
// a modulo 2^bits and a / 2^bits, a unsigned, in packs of `width` lanes.
[[nodiscard]] Shape low_bits_shape(Shape a, std::uint32_t bits, std::uint32_t width);
[[nodiscard]] Shape high_bits_shape(Shape a, std::uint32_t bits, std::uint32_t width);

// Whether no lane's sum base + stride * lane leaves the `bits` bits that it is computed in: then the shape outlives
// widening.
[[nodiscard]] bool never_wraps(Shape a, std::uint32_t bits, std::uint32_t width);

}  // namespace weft::passes
