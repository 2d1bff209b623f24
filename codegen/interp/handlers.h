// The op handlers: one function for each core and device op, in the file of its family. A handler does the op for all
// the given lanes, in lane order. An op of the table without a handler does not link.
#pragma once

#include "codegen/interp/block.h"

namespace weft::interp {

struct Context {
  Block& block;
  Frame& frame;
  const ir::Op& op;
  Lanes lanes;

  [[nodiscard]] Words operand(std::size_t i) const { return frame.operand(op, i); }
  [[nodiscard]] ir::TypeId operand_type(std::size_t i) const { return frame.operand_type(op, i); }
  [[nodiscard]] Words result() const { return frame.result(op); }
  [[nodiscard]] std::uint32_t result_words() const { return word_count(block.types(), op.type); }
  // The scalar kind of a scalar, vector or matrix operand.
  [[nodiscard]] ir::TypeKind scalar_kind(std::size_t i) const { return scalar_kind(operand_type(i)); }
  [[nodiscard]] ir::TypeKind scalar_kind(ir::TypeId type) const {
    return block.types()[block.types().scalar_of(type)].kind;
  }
};

using Handler = void (*)(const Context&);

namespace handlers {

#define WEFT_HANDLER_core(name) void name(const Context& c);
#define WEFT_HANDLER_device(name) void name(const Context& c);
#define WEFT_HANDLER_expand(name)
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) WEFT_HANDLER_##kind(name)
#include "codegen/ir/ops.def"
#undef WEFT_HANDLER_core
#undef WEFT_HANDLER_device
#undef WEFT_HANDLER_expand

}  // namespace handlers

// An index operand as 64 bits, sign-extended, so that a negative one is out of every range.
[[nodiscard]] std::uint64_t index_of(ir::TypeKind kind, std::uint64_t word);

}  // namespace weft::interp
