// The functions of batch.cpp, as data.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weft::test {

// result[i] = function(x[i]) or function(x[i], y[i]); `count` must be a multiple of the width.
using BatchFunction = void (*)(const void* x, const void* y, void* result, std::size_t count);

enum class ElementType { f32, f64, i32, i64, u32, u64 };

std::size_t size_bytes(ElementType type);

struct Batch {
  std::string_view name;
  ElementType type;  // of the first operand; `operand` of the second, if any
  int width;
  ElementType result;
  ElementType operand;
  BatchFunction native;  // one lane, whatever the width
  BatchFunction v3;      // through bitcode, for x86-64-v3
  BatchFunction v4;      // for x86-64-v4; only where cpu_has_v4()
};

std::span<const Batch> batches();

// The row, which must exist.
const Batch& find_batch(std::string_view name, ElementType type, int width);

bool cpu_has_v4();

}  // namespace weft::test
