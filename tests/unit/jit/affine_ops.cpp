// Integer ops on values that differ by a constant from lane to lane, or within rows of lanes: what the compiler knows
// of them, and computes on one lane for all, holds where numbers wrap too.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "codegen/ir/builder.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;
using ir::OpCode;

namespace {

constexpr std::uint32_t kLanes = 128;

constexpr std::array kOps{OpCode::add, OpCode::sub, OpCode::mul, OpCode::div,
                          OpCode::rem, OpCode::shl, OpCode::shr, OpCode::and_};

std::vector<std::uint64_t> constants(std::uint32_t bits) {
  std::vector<std::uint64_t> values = {3, 4, 64, low_bits(bits - 1) - 40};
  values.push_back(low_bits(bits));
  return values;
}

// Builds a kernel that computes, for each step and start of an affine value, each op with each constant on either side.
class AffineKernel {
 public:
  AffineKernel(ir::TypeKind kind, std::array<std::uint32_t, 3> block) : kind_(kind) {
    kernel_.attributes.block_size = block;
    kernel_.attributes.dimensions = 2;
    out_ = kernel_.add_parameter(module_.types.buffer(ir::kU64), {});
    const ir::ValueId row = b_.emit(OpCode::mul, {b_.emit(OpCode::dispatch_id, {}, 1), b_.constant_u32(kRow)});
    lane_ = b_.emit(OpCode::add, {row, b_.emit(OpCode::dispatch_id)});
  }

  void check(const Way& way) {
    for (const std::uint64_t step : {1, 4}) {
      for (const std::uint64_t start : constants(ir::scalar_bits(kind_))) {
        add_value(step, start);
      }
    }
    const Memory memory{Bytes(texts_.size() * kLanes * 8)};
    check_same(module_, {kRow, kLanes / kRow, 1}, memory, {way},
               [&](std::size_t, std::uint64_t element) { return texts_[element / kLanes]; });
  }

 private:
  static constexpr std::uint32_t kRow = 32;

  ir::ValueId number(std::uint64_t bits) { return b_.constant(type_, {bits & low_bits(ir::scalar_bits(kind_))}); }

  void add_value(std::uint64_t step, std::uint64_t start) {
    const ir::ValueId scaled = b_.emit(OpCode::mul, {b_.emit(OpCode::cast, {lane_}, 0, type_), number(step)});
    const ir::ValueId value = b_.emit(OpCode::add, {scaled, number(start)});
    const std::string text = fmt::format("{} * lane + {:#x}", step, start);
    for (const OpCode op : kOps) {
      for (const std::uint64_t c : constants(ir::scalar_bits(kind_))) {
        add_result(b_.emit(op, {value, number(c)}), fmt::format("{} {}, {:#x}", ir::info(op).text, text, c));
      }
      add_result(b_.emit(op, {number(5), value}), fmt::format("{} 5, {}", ir::info(op).text, text));
    }
    for (const ir::TypeId to : {ir::kI8, ir::kU16, ir::kI32, ir::kU64, ir::kF32}) {
      add_result(b_.emit(OpCode::cast, {value}, 0, to), fmt::format("cast {} {}", module_.types.text(to), text));
    }
  }

  void add_result(ir::ValueId result, std::string text) {
    const ir::ValueId wide = b_.emit(OpCode::cast, {result}, 0, ir::kU64);
    const ir::ValueId place =
        b_.emit(OpCode::add, {lane_, b_.constant_u32(static_cast<std::uint32_t>(texts_.size() * kLanes))});
    b_.emit(OpCode::write, {out_, place, wide});
    texts_.push_back(std::move(text));
  }

  ir::Module module_;
  ir::Function& kernel_ = module_.add_function(ir::FunctionKind::kernel, "affine");
  ir::Builder b_{module_, kernel_};
  ir::TypeKind kind_;
  ir::TypeId type_ = ir::TypeTable::scalar(kind_);
  ir::ValueId out_, lane_;
  std::vector<std::string> texts_;  // of the results
};

}  // namespace

TEST_CASE("affine values: ops give the interpreter's numbers, in blocks of long and of short rows") {
  for (const auto kind : {ir::TypeKind::i8, ir::TypeKind::i16, ir::TypeKind::i32, ir::TypeKind::i64, ir::TypeKind::u8,
                          ir::TypeKind::u16, ir::TypeKind::u32, ir::TypeKind::u64}) {
    INFO(ir::scalar_text(kind));
    AffineKernel(kind, {32, 1, 1}).check({8, "x86-64-v3"});
    AffineKernel(kind, {8, 4, 1}).check({16, "native"});
  }
}
