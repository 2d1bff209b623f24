#include "codegen/ir/verify/findings.h"

#include "codegen/ir/text/print.h"
#include "codegen/ir/verify/op_rules.h"

namespace weft::ir {

const std::string& ValueTexts::operator[](ValueId value) {
  if (texts_.empty()) {
    texts_ = value_texts(module_, function_);
  }
  return texts_[value.index];
}

void note_declaration(Diagnostic& error, const Findings& findings, const Module& module, const Function& function,
                      ValueId value, ValueTexts& texts) {
  const Op* op = function.definition(value);
  const Location location = op != nullptr ? op->location : function.location;
  if (function.value(value).kind != ValueKind::constant && location.line != 0) {
    error.note(findings.place(location),
               fmt::format("{} is declared as {}", texts[value], declaration_text(module, function, value)));
  }
}

}  // namespace weft::ir
