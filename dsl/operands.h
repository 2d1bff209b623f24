// Operands of the public interface as values of the IR.
#pragma once

#include "dsl/recording.h"

namespace weft::dsl {

// The op of that spelling.
[[nodiscard]] ir::OpCode op_named(const char* text);

// What a node stands for: its value, loaded if it is a place.
ir::ValueId read(FunctionRecording& f, const Node& node, Where where);
// The reference behind a place.
ir::ValueId place(FunctionRecording& f, const Node& node, Where where);
// The operand's value, converted to the type that is wanted.
ir::ValueId evaluate(FunctionRecording& f, const Operand& operand);
// The operand's value as it is.
ir::ValueId evaluate_as_is(FunctionRecording& f, const Operand& operand);

}  // namespace weft::dsl
