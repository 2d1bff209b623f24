#include "codegen/passes/rewrite.h"

#include "runtime/support/check.h"

namespace weft::passes {

using namespace ir;

Rewriter::Rewriter(const Function& from, Builder& builder)
    : from_(from), builder_(builder), values_(from.value_count()) {}

void Rewriter::run() {
  Function& to = builder_.function();
  for (const Parameter& parameter : from_.parameters) {
    const Value& value = from_.value(parameter.value);
    map(parameter.value, to.add_parameter(value.type, value.name, parameter.is_restrict));
  }
  rewrite_region(from_.body());
}

void Rewriter::rewrite_region(RegionId region) {
  region_begins();
  for (const OpId id : from_.region(region).ops) {
    const Op& op = from_.op(id);
    builder_.set_location(op.location);
    rewrite(op);
  }
  region_ends();
}

void Rewriter::copy(const Op& op, std::uint64_t imm) {
  Function& to = builder_.function();
  const RegionId here = builder_.region();
  const std::vector<ValueId> operands = mapped_operands(op);
  const OpId copied = to.append(here, op.code, op.type, operands, imm, op.region_count, op.location);
  if (op.result.valid()) {
    map(op.result, to.op(copied).result);
  }
  for (std::uint32_t i = 0; i < op.region_count; ++i) {
    builder_.set_region(to.regions(to.op(copied))[i]);
    rewrite_region(from_.regions(op)[i]);
  }
  builder_.set_region(here);
}

ValueId Rewriter::mapped(ValueId value) {
  const Value& v = from_.value(value);
  if (v.kind == ValueKind::constant) {
    return builder_.function().constant(ConstantId(v.index), v.type);
  }
  WEFT_CHECK(values_[value.index].valid(), "value {} of {} is used before it was rewritten", value.index, from_.name);
  return values_[value.index];
}

std::vector<ValueId> Rewriter::mapped_operands(const Op& op) {
  std::vector<ValueId> operands;
  operands.reserve(op.operand_count);
  for (const ValueId v : from_.operands(op)) {
    operands.push_back(mapped(v));
  }
  return operands;
}

std::uint64_t Rewriter::copied_immediate(const Op& op) {
  if (info(op.code).immediate != Immediate::cases) {
    return op.imm;
  }
  std::vector<CaseList>& lists = builder_.function().case_lists;
  lists.push_back(from_.case_lists[op.imm]);
  return lists.size() - 1;
}

void Rewriter::map(ValueId value, ValueId replacement) {
  values_[value.index] = replacement;
  const StringId name = from_.value(value).name;
  Value& to = builder_.function().value(replacement);
  if (name.valid() && !to.name.valid() && to.kind == ValueKind::result) {
    to.name = name;
  }
}

Function like(const Function& function) {
  Function copy(function.kind, function.name);
  copy.result_type = function.result_type;
  copy.attributes = function.attributes;
  copy.location = function.location;
  return copy;
}

}  // namespace weft::passes
