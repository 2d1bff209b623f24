#include "codegen/ir/verify/findings.h"

#include "codegen/ir/text/print.h"
#include "codegen/ir/text/syntax.h"
#include "codegen/ir/verify/op_rules.h"

namespace weft::ir {

const std::string& ValueTexts::operator[](ValueId value) {
  if (texts_.empty()) {
    texts_ = value_texts(module_, function_);
  }
  return texts_[value.index];
}

namespace {

// What an access is made of, at last.
ValueId base_of(const Function& f, ValueId value) {
  const Op* op = f.definition(value);
  while (op != nullptr && is_access(op->code)) {
    value = f.operand(*op, 0);
    op = f.definition(value);
  }
  return value;
}

}  // namespace

void note_declaration(Diagnostic& error, const Findings& findings, const Module& module, const Function& function,
                      ValueId value, ValueTexts& texts) {
  const ValueId base = base_of(function, value);
  const Op* op = function.definition(base);
  const Location location = op != nullptr ? op->location : function.location;
  if (function.value(base).kind != ValueKind::constant && location.line != 0) {
    error.note(findings.place(location),
               fmt::format("{} is declared as {}", texts[base], declaration_text(module, function, base)));
  }
}

}  // namespace weft::ir
