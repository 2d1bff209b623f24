// Every op of the table can be built, verified, printed and read back, whatever its row says.
#include <catch2/catch.hpp>

#include "codegen/ir/builder.h"
#include "codegen/ir/text/print.h"
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/verify.h"

using namespace weft;
using namespace weft::ir;

namespace {

// A kernel with a parameter of many types, from which any op finds operands.
class Sample {
 public:
  Sample() : f_(&m_.add_function(FunctionKind::kernel, "k")), b_(m_, *f_) {
    m_.globals.push_back({"data", m_.constant({m_.types.array(kF32, 2), {0, 1}})});
    m_.specs.push_back({"spec", 1, m_.constant({kU32, {7}})});
    const TypeId f32x3 = m_.types.vector(kF32, 3);
    add(kF32), add(kU32), add(kI32), add(kBool), add(f32x3), add(m_.types.vector(kF32, 2)),
        add(m_.types.vector(kF32, 4));
    add(m_.types.vector(kBool, 3)), add(m_.types.matrix(kF32, 3, 3)), add(m_.types.array(kF32, 4));
    add(m_.types.buffer(kU32)), add(m_.types.byte_buffer());
    // The one reference to a number that other blocks see, before those of the block's own.
    values_.push_back(b_.emit(OpCode::buffer_element, {values_[values_.size() - 2], values_[1]}));
    values_.push_back(b_.emit(OpCode::shared, {}, 0, kU32));
    values_.push_back(b_.emit(OpCode::shared, {}, 0, m_.types.array(kF32, 4)));
  }

  // Appends an op of the code with the first operands that fit, one by one.
  bool append(OpCode code) {
    for (const TypeId given : {TypeId(kF32), m_.types.vector(kF32, 3), TypeId(kU32)}) {
      std::vector<ValueId> operands;
      if (find_operands(code, given, operands)) {
        b_.emit(code, operands, immediate(code), given);
        if (verify(m_).empty()) return true;
        f_->region(f_->body()).ops.pop_back();
      }
    }
    return false;
  }

  Module& module() { return m_; }

 private:
  void add(TypeId type) { values_.push_back(f_->add_parameter(type, {})); }

  std::uint64_t immediate(OpCode code) {
    switch (info(code).immediate) {
      case Immediate::components: return Components{{2, 1, 0, 0}, 3}.pack();
      case Immediate::text: return m_.string(code == OpCode::print ? "nothing" : "text").index;
      default: return 0;
    }
  }

  bool find_operands(OpCode code, TypeId given, std::vector<ValueId>& operands) {
    const std::size_t count = code == OpCode::make ? 3 : info(code).operand_count;
    if (operands.size() == count) {
      std::vector<TypeId> types;
      for (const ValueId v : operands) types.push_back(f_->type(v));
      return result_type(m_, code, types, given, immediate(code)).has_value();
    }
    for (const ValueId v : values_) {
      operands.push_back(v);
      std::vector<TypeId> types;
      for (const ValueId o : operands) types.push_back(f_->type(o));
      if (matches(m_.types, code, operands.size() - 1, types, immediate(code)) &&
          find_operands(code, given, operands)) {
        return true;
      }
      operands.pop_back();
    }
    return false;
  }

  Module m_;
  Function* f_;
  Builder b_;
  std::vector<ValueId> values_;
};

// Ops that stand only in certain places, which other tests write.
bool needs_a_place(OpCode code) {
  return code == OpCode::if_ || code == OpCode::loop || code == OpCode::switch_ || code == OpCode::yield ||
         code == OpCode::break_ || code == OpCode::continue_ || code == OpCode::call;
}

}  // namespace

TEST_CASE("text: every op of the table is the same after it was printed and read") {
  for (std::size_t i = 0; i < all_ops().size(); ++i) {
    const auto code = static_cast<OpCode>(i);
    if (needs_a_place(code)) continue;
    INFO(info(code).text);
    Sample sample;
    REQUIRE(sample.append(code));
    const std::string printed = print(sample.module());
    INFO(printed);
    auto again = parse_verified(printed, "printed");
    if (!again) FAIL(print(again.diagnostics()));
    CHECK(print(**again) == printed);
  }
}
