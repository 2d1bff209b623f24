// Every op of the families arith, bits, compare, convert and math, in every scalar type that it takes: compiled code
// gives the same bits as the interpreter, at any width, for packs, uniform values and constants.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "codegen/ir/builder.h"
#include "codegen/ir/typing.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;
using ir::OpCode;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMaxOperands = 4;

// An op on scalars.
struct Case {
  OpCode code;
  std::vector<TypeId> operands;
  TypeId given;  // for ops whose text has the result's type

  [[nodiscard]] std::string text(const ir::TypeTable& types) const {
    std::string text = fmt::format("{}{}", ir::info(code).text, given.valid() ? " " + types.text(given) : "");
    for (const TypeId t : operands) {
      text += " " + types.text(t);
    }
    return text;
  }
};

std::vector<TypeId> scalars() {
  return {
#define WEFT_SCALAR(name, id, text, bits, category, letter) ir::k##id,
#include "codegen/ir/scalars.def"
  };
}

bool accepts(ir::TypeTable& types, OpCode code, const std::vector<TypeId>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!ir::matches(types, code, i, operands, 0)) {
      return false;
    }
  }
  return true;
}

// The operand types of an op on scalars whose main type is `scalar`: that, but a bool to choose by and an i32 where the
// op says so.
std::vector<TypeId> operand_types(OpCode code, TypeId scalar) {
  const ir::OpInfo& info = ir::info(code);
  std::vector<TypeId> types;
  for (std::size_t i = 0; i < info.operand_count; ++i) {
    const ir::OperandShape shape = info.operands[i];
    types.push_back(shape == ir::OperandShape::condition  ? ir::kBool
                    : shape == ir::OperandShape::i32_same ? ir::kI32
                                                          : scalar);
  }
  return types;
}

// What a conversion may give.
std::vector<TypeId> given_types(OpCode code, TypeId from) {
  if (!ir::has_given_type(code)) {
    return {TypeId()};
  }
  std::vector<TypeId> types = scalars();
  if (code == OpCode::bitcast) {
    std::erase_if(
        types, [&](TypeId t) { return ir::scalar_bits(TypeKind(t.index)) != ir::scalar_bits(TypeKind(from.index)); });
  }
  return types;
}

// All ops of a family that take scalars of this type.
std::vector<Case> cases_of(ir::TypeTable& types, ir::OpFamily family, TypeId scalar) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < ir::all_ops().size(); ++i) {
    const auto code = static_cast<OpCode>(i);
    const auto operands = operand_types(code, scalar);
    if (ir::info(code).family != family || operands.empty() || !accepts(types, code, operands)) {
      continue;
    }
    for (const TypeId given : given_types(code, scalar)) {
      cases.push_back({code, operands, given});
    }
  }
  return cases;
}

// --- operands: element i of each operand's buffer is one try

using Tries = std::vector<std::array<std::uint64_t, kMaxOperands>>;

// All pairs of interesting operands, with others at random, and some that are all random.
Tries interesting_tries(TypeKind kind) {
  const auto values = operands_of(kind);
  Random random;
  const auto any = [&] { return values[random.next() % values.size()]; };
  Tries tries;
  for (const std::uint64_t a : values) {
    for (const std::uint64_t b : values) {
      tries.push_back({a, b, any(), any()});
    }
  }
  for (int i = 0; i < 300; ++i) {
    tries.push_back({random.next(), random.next(), random.next(), random.next()});
  }
  return tries;
}

// Every number of 16 bits, with others at random.
Tries all_of_16_bits() {
  Random random;
  Tries tries;
  for (std::uint64_t a = 0; a < 0x10000; ++a) {
    tries.push_back({a, random.next(), random.next(), random.next()});
  }
  return tries;
}

// --- kernels

enum class Mode { packs, uniform, constant };

std::uint32_t size_of(TypeId scalar) { return std::max(ir::scalar_bits(TypeKind(scalar.index)) / 8, 1U); }

Bytes buffer_of(TypeId type, const std::vector<std::uint64_t>& values) {
  const std::uint32_t size = size_of(type);
  Bytes bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t value = type == ir::kBool ? values[i] & 1 : values[i];
    std::memcpy(bytes.data() + i * size, &value, size);
  }
  return bytes;
}

// A kernel whose lane (at Mode::uniform, block) i computes each case of its try, into one buffer for each case.
class Sweep {
 public:
  Sweep(ir::OpFamily family, TypeId scalar, Mode mode, ir::MathMode math = ir::MathMode::strict)
      : mode_(mode), cases_(cases_of(module_.types, family, scalar)) {
    kernel().attributes.math = math;
    kernel().attributes.block_size = {mode == Mode::uniform ? 1U : 32U, 1, 1};
  }

  void keep_only(const std::function<bool(OpCode)>& wanted) {
    std::erase_if(cases_, [&](const Case& c) { return !wanted(c.code); });
  }
  [[nodiscard]] bool empty() const { return cases_.empty(); }

  void check(const Tries& tries, const std::vector<Way>& ways) {
    tries_ = &tries;
    add_operands();
    ir::Builder b(module_, kernel());
    const ValueId lane = b.emit(mode_ == Mode::uniform ? OpCode::block_id : OpCode::dispatch_id);
    for (const Case& c : cases_) {
      add_case(b, lane, c);
    }
    check_same(module_, {static_cast<std::uint32_t>(tries.size()), 1, 1}, memory_, ways,
               [&](std::size_t parameter, std::uint64_t element) { return describe(parameter, element); });
  }

 private:
  ir::Function& kernel() { return kernel_; }

  ValueId add_buffer(TypeId type, Bytes bytes) {
    memory_.push_back(std::move(bytes));
    return kernel().add_parameter(module_.types.buffer(type), {});
  }

  void add_operands() {
    for (const Case& c : cases_) {
      for (std::size_t i = 0; i < c.operands.size(); ++i) {
        auto& buffer = inputs_[{i, c.operands[i]}];
        if (buffer.valid()) {
          continue;
        }
        std::vector<std::uint64_t> column;
        for (const auto& t : *tries_) {
          column.push_back(t[i]);
        }
        buffer = add_buffer(c.operands[i], buffer_of(c.operands[i], column));
      }
    }
  }

  void add_case(ir::Builder& b, ValueId lane, const Case& c) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      operands.push_back(b.emit(OpCode::read, {inputs_[{i, c.operands[i]}], lane}));
    }
    if (mode_ != Mode::constant) {
      add_result(b, lane, c, operands, "");
      return;
    }
    const TypeId type = c.operands.back();
    for (const std::uint64_t value : constants(TypeKind(type.index))) {
      operands.back() = b.constant(type, {value});
      add_result(b, lane, c, operands, fmt::format(" last operand {:#x}", value));
    }
  }

  static std::vector<std::uint64_t> constants(TypeKind kind) {
    const auto values = operands_of(kind);
    const std::size_t step = ir::scalar_category(kind) == ir::ScalarCategory::floating ? 23 : 5;
    std::vector<std::uint64_t> some;
    for (std::size_t i = 0; i < values.size(); i += step) {
      some.push_back(values[i]);
    }
    return some;
  }

  void add_result(ir::Builder& b, ValueId lane, const Case& c, const std::vector<ValueId>& operands,
                  const std::string& note) {
    const ValueId result = b.emit(c.code, operands, 0, c.given);
    const TypeId type = kernel().type(result);
    results_[memory_.size()] = c.text(module_.types) + note;
    const ValueId out = add_buffer(type, Bytes(tries_->size() * module_.types[type].size_bytes));
    b.emit(OpCode::write, {out, lane, result});
  }

  [[nodiscard]] std::string describe(std::size_t parameter, std::uint64_t element) {
    const ir::TypeId type = module_.types[kernel().type(kernel().parameters[parameter].value)].element;
    const auto& t = (*tries_)[element / module_.types[type].leaf_count];
    return fmt::format("{} of {:#x}, {:#x}, {:#x}", results_[parameter], t[0], t[1], t[2]);
  }

  ir::Module module_;
  ir::Function& kernel_ = module_.add_function(ir::FunctionKind::kernel, "sweep");
  Mode mode_;
  std::vector<Case> cases_;
  const Tries* tries_ = nullptr;
  Memory memory_;
  std::map<std::pair<std::size_t, TypeId>, ValueId> inputs_;  // by operand and type
  std::map<std::size_t, std::string> results_;                // by parameter
};

const std::vector<Way>& few_ways() {
  static const std::vector<Way> ways{{1, "x86-64-v3"}, {8, "x86-64-v3"}, {16, "native"}};
  return ways;
}

void sweep(ir::OpFamily family, Mode mode, const std::vector<Way>& ways) {
  for (const TypeId scalar : scalars()) {
    INFO(ir::text(family) << " of " << ir::scalar_text(TypeKind(scalar.index)));
    Sweep kernel(family, scalar, mode);
    if (!kernel.empty()) {
      kernel.check(interesting_tries(TypeKind(scalar.index)), ways);
    }
  }
}

}  // namespace

TEST_CASE("arith: packs of every width give the interpreter's bits") {
  sweep(ir::OpFamily::arith, Mode::packs, all_ways());
}
TEST_CASE("bits: packs of every width give the interpreter's bits") {
  sweep(ir::OpFamily::bits, Mode::packs, all_ways());
}
TEST_CASE("compare: packs of every width give the interpreter's bits") {
  sweep(ir::OpFamily::compare, Mode::packs, all_ways());
}
TEST_CASE("convert: packs of every width give the interpreter's bits") {
  sweep(ir::OpFamily::convert, Mode::packs, all_ways());
}
TEST_CASE("math: packs of every width give the interpreter's bits") {
  sweep(ir::OpFamily::math, Mode::packs, all_ways());
}

TEST_CASE("scalar ops: uniform values give the interpreter's bits") {
  for (const auto family : {ir::OpFamily::arith, ir::OpFamily::bits, ir::OpFamily::compare, ir::OpFamily::convert}) {
    sweep(family, Mode::uniform, {{8, "x86-64-v3"}});
  }
}

TEST_CASE("scalar ops: constant operands give the interpreter's bits") {
  for (const auto family : {ir::OpFamily::arith, ir::OpFamily::bits, ir::OpFamily::compare}) {
    sweep(family, Mode::constant, {{1, "x86-64-v3"}, {16, "native"}});
  }
}

TEST_CASE("convert: a large integer is infinite in f16 whatever is known of its bits") {
  const std::string source = R"(weft 1
kernel @k(%in: buffer<u32>, %out: buffer<f32>) block(32) {
  %x = read %in[thread_id.x]
  %large = shl %x, 31
  %h = cast f16 %large
  %f = cast f32 %h
  write %out[thread_id.x], %f
}
)";
  check_same(source, {32, 1, 1}, {bytes_of(std::vector<std::uint32_t>(32, 1)), Bytes(128)}, all_ways());
}

TEST_CASE("f16: every number and many triples give the interpreter's bits") {
  const Tries tries = all_of_16_bits();
  for (const auto family : {ir::OpFamily::arith, ir::OpFamily::compare, ir::OpFamily::convert, ir::OpFamily::math}) {
    INFO(ir::text(family));
    Sweep(family, ir::kF16, Mode::packs).check(tries, few_ways());
  }
}

TEST_CASE("fast math: comparisons, conversions and what tells NaN and infinities from numbers are exact") {
  const auto exact = [](OpCode code) {
    return ir::info(code).family == ir::OpFamily::compare || code == OpCode::cast || code == OpCode::bitcast ||
           code == OpCode::step;
  };
  for (const TypeId scalar : {ir::kF16, ir::kF32, ir::kF64}) {
    for (const auto family : {ir::OpFamily::compare, ir::OpFamily::convert, ir::OpFamily::math}) {
      INFO(ir::text(family) << " of " << ir::scalar_text(TypeKind(scalar.index)));
      Sweep kernel(family, scalar, Mode::packs, ir::MathMode::fast);
      kernel.keep_only(exact);
      kernel.check(interesting_tries(TypeKind(scalar.index)), few_ways());
    }
  }
}
