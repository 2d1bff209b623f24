// Integer ops on, and reads at, values that differ by a constant from lane to lane, or within rows of lanes: what the
// compiler knows of them, and computes on one lane for all, holds where numbers wrap too.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <numeric>

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
    in_ = kernel_.add_parameter(module_.types.buffer(ir::kU64), {});
    const ir::ValueId row = b_.emit(OpCode::mul, {b_.emit(OpCode::dispatch_id, {}, 1), b_.constant_u32(kRow)});
    lane_ = b_.emit(OpCode::add, {row, b_.emit(OpCode::dispatch_id)});
  }

  void check(const Way& way) {
    for (const std::uint64_t step : {1, 4}) {
      for (const std::uint64_t start : constants(ir::scalar_bits(kind_))) {
        add_value(step, start);
      }
    }
    std::vector<std::uint64_t> in(300);
    std::iota(in.begin(), in.end(), 1000);
    const Memory memory{Bytes(texts_.size() * kLanes * 8), bytes_of(in)};
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
    add_result(b_.emit(OpCode::read, {in_, value}), "read at " + text);
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
  ir::ValueId out_, in_, lane_;
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

// The lanes before %i wraps are off: nothing may be read or written for them, and the others' places count from the
// first active one.
TEST_CASE("affine values: an index that wraps in lanes that are off is right in the others") {
  const std::array<std::string, 4> bodies{// a buffer
                                          R"(
      %v = read %in[%i]
      write %out[%l], %v
)",
                                          R"(
      write %out[%i], %l
)",
                                          // shared memory, and data of the module
                                          R"(
      %place = element %tile[%i]
      %v = load %place
      %w = add %v, %l
      store %place, %w
      %table_place = global @table
      %t_place = element %table_place[%i]
      %t = load %t_place
      %r = mul %w, %t
      write %out[%l], %r
)",
                                          // an array of the lane's own
                                          R"(
      %places = local array<u32, 40>
      %i_place = element %places[%i]
      store %i_place, %l
      %first_place = element %places[5]
      store %first_place, 7
      %v = load %i_place
      write %out[%l], %v
)"};
  std::string table = "0";
  for (int i = 1; i < 40; ++i) {
    table += fmt::format(", {}", i * i);
  }
  std::vector<std::uint32_t> in(64);
  std::iota(in.begin(), in.end(), 1000);
  for (const char* block : {"32", "8, 4"}) {
    for (const char* start : {"sub %lane, 4", "add %lane, 0xfffffff0", "sub 20, %lane"}) {
      for (const std::string& body : bodies) {
        const std::string source = fmt::format(R"(weft 1
const @table: array<u32, 40> = [{}]
kernel @k(%in: buffer<u32>, %out: buffer<u32>) block({}) {{
  %tile = shared array<u32, 40>
  %y = mul thread_id.y, 8
  %lane = add thread_id.x, %y
  %own = element %tile[%lane]
  store %own, %lane
  %base = mul block_id.x, 32
  %l = add %base, %lane
  barrier
  %i = {}
  %c = lt %i, 30
  if %c {{{}  }}
}}
)",
                                               table, block, start, body);
        INFO(source);
        check_same(source, {32, block[0] == '8' ? 4U : 1U, 1}, {bytes_of(in), Bytes(256)}, all_ways());
      }
    }
  }
}
