#include "codegen/ir/module.h"

#include "runtime/support/check.h"

namespace weft::ir {

ValueId Function::add_parameter(TypeId type, StringId parameter_name, bool is_restrict) {
  const ValueId id(values_.size());
  values_.push_back({ValueKind::parameter, type, static_cast<std::uint32_t>(parameters.size()), parameter_name});
  parameters.push_back({id, is_restrict});
  return id;
}

ValueId Function::constant(ConstantId id, TypeId type) {
  const auto [it, inserted] = constants_.try_emplace(id, ValueId(values_.size()));
  if (inserted) {
    values_.push_back({ValueKind::constant, type, id.index, {}});
  }
  return it->second;
}

OpId Function::append(RegionId region, OpCode code, TypeId type, std::span<const ValueId> operands, std::uint64_t imm,
                      std::size_t region_count, Location location) {
  const OpId id(ops_.size());
  Op op{.code = code, .type = type, .imm = imm, .location = location};
  op.first_operand = static_cast<std::uint32_t>(operands_.size());
  op.operand_count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  op.first_region = static_cast<std::uint32_t>(region_ids_.size());
  op.region_count = static_cast<std::uint32_t>(region_count);
  for (std::size_t i = 0; i < region_count; ++i) {
    region_ids_.push_back(add_region());
  }
  if (type != kVoid) {
    op.result = ValueId(values_.size());
    values_.push_back({ValueKind::result, type, id.index, {}});
  }
  ops_.push_back(op);
  regions_[region.index].ops.push_back(id);
  return id;
}

RegionId Function::add_region() {
  regions_.emplace_back();
  return RegionId(regions_.size() - 1);
}

// The op's region ids are contiguous; when another op's follow, they are moved to the end first.
RegionId Function::add_region_to(OpId id) {
  Op& op = ops_[id.index];
  if (op.first_region + op.region_count != region_ids_.size()) {
    const auto first = static_cast<std::uint32_t>(region_ids_.size());
    for (std::uint32_t i = 0; i < op.region_count; ++i) {
      region_ids_.push_back(region_ids_[op.first_region + i]);
    }
    op.first_region = first;
  }
  const RegionId region = add_region();
  region_ids_.push_back(region);
  ++op.region_count;
  return region;
}

std::unique_ptr<Module> Module::without_functions() const {
  auto copy = std::make_unique<Module>();
  copy->types = types;
  copy->globals = globals;
  copy->specs = specs;
  copy->constants_ = constants_;
  copy->constant_index_ = constant_index_;
  for (const std::string& text : strings_) {
    copy->string(text);
  }
  return copy;
}

Function& Module::add_function(FunctionKind kind, std::string name) {
  return functions.emplace_back(kind, std::move(name));
}

FunctionId Module::find_function(std::string_view name) const {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].name == name) {
      return FunctionId(i);
    }
  }
  return {};
}

const Function* Module::find_kernel(std::string_view name) const {
  const Function* found = nullptr;
  for (const Function& f : functions) {
    if (f.kind != FunctionKind::kernel || (!name.empty() && f.name != name)) {
      continue;
    }
    if (found != nullptr) {
      return nullptr;
    }
    found = &f;
  }
  return found;
}

StringId Module::string(std::string_view text) {
  const auto it = string_index_.find(text);
  if (it != string_index_.end()) {
    return it->second;
  }
  const StringId id(strings_.size());
  strings_.emplace_back(text);
  string_index_.emplace(strings_.back(), id);
  return id;
}

ConstantId Module::constant(Constant constant) {
  std::string key(sizeof(std::uint32_t) + constant.leaves.size() * sizeof(std::uint64_t), '\0');
  std::copy_n(reinterpret_cast<const char*>(&constant.type.index), sizeof(std::uint32_t), key.data());
  std::copy_n(reinterpret_cast<const char*>(constant.leaves.data()), constant.leaves.size() * sizeof(std::uint64_t),
              key.data() + sizeof(std::uint32_t));
  const auto [it, inserted] = constant_index_.try_emplace(std::move(key), ConstantId(constants_.size()));
  if (inserted) {
    constants_.push_back(std::move(constant));
  }
  return it->second;
}

const Constant* Module::constant_of(const Function& f, ValueId value) const {
  const Value& v = f.value(value);
  return v.kind == ValueKind::constant ? &constants_[v.index] : nullptr;
}

}  // namespace weft::ir
