// Operands worth trying, as bits of a scalar kind.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codegen/ir/builder.h"

namespace weft::jit::testing {

// The same sequence in every run.
class Random {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;  // splitmix64
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

inline std::uint64_t low_bits(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }

// Zeros, ends of ranges, denormals, infinities, NaN, 42; halves and their neighbours, for rounding; the ends of the
// integer ranges, for conversion.
inline std::vector<std::uint64_t> float_operands(ir::TypeKind kind) {
  const std::uint32_t bits = ir::scalar_bits(kind);
  const std::uint32_t fraction = kind == ir::TypeKind::f16 ? 10 : kind == ir::TypeKind::f32 ? 23 : 52;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t infinity = low_bits(bits - 1 - fraction) << fraction;
  std::vector<std::uint64_t> values = {0,
                                       1,
                                       low_bits(fraction),
                                       low_bits(fraction) + 1,
                                       infinity - 1,
                                       infinity,
                                       infinity | 1,
                                       infinity | (std::uint64_t{1} << (fraction - 1))};
  for (const double x : {0.5,     1.0,     1.5,     2.5,       3.0,        10.0,     42.0,     127.0,   127.5,
                         128.0,   255.5,   256.0,   2049.0,    3.14159,    0.001,    32767.5,  32768.0, 65504.0,
                         65519.0, 65520.0, 65536.0, 8388608.5, 16777217.0, 0x1p31,   0x1p32,   0x1p63,  0x1p64,
                         0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-126,   0x1p-149, 0x1p-150, 0x1p128}) {
    const std::uint64_t near = ir::scalar_bits_of(kind, x);
    values.insert(values.end(), {near - 1, near, near + 1});
  }
  // Between f16 and just beside that, as only wider types can be.
  for (const double x : {0x1.002p0, 0x1.006p0, 0x1p-25, 0x1.8p-24, 65520.0}) {
    values.push_back(ir::scalar_bits_of(kind, x * (1 + 0x1p-23)));
    values.push_back(ir::scalar_bits_of(kind, x * (1 + 0x1p-40)));
    values.push_back(ir::scalar_bits_of(kind, x * (1 - 0x1p-40)));
  }
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(values[i] ^ sign);
  }
  for (std::uint64_t& v : values) {
    v &= low_bits(bits);
  }
  return values;
}

inline std::vector<std::uint64_t> integer_operands(ir::TypeKind kind) {
  const std::uint32_t bits = ir::scalar_bits(kind);
  std::vector<std::uint64_t> values = {0, 1, 2, 3, 7, 10, 42, 100, bits / 2, bits - 1, bits, bits + 1};
  for (const std::uint32_t bit : {7U, 15U, 16U, 24U, 31U, 32U, 53U, 63U}) {
    if (bit < bits) {
      values.insert(values.end(),
                    {(std::uint64_t{1} << bit) - 1, std::uint64_t{1} << bit, (std::uint64_t{1} << bit) + 1});
    }
  }
  values.push_back(0x5555555555555555);
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(~values[i]);
  }
  for (std::uint64_t& v : values) {
    v &= low_bits(bits);
  }
  return values;
}

inline std::vector<std::uint64_t> operands_of(ir::TypeKind kind) {
  switch (ir::scalar_category(kind)) {
    case ir::ScalarCategory::boolean: return {0, 1};
    case ir::ScalarCategory::floating: return float_operands(kind);
    default: return integer_operands(kind);
  }
}

}  // namespace weft::jit::testing
