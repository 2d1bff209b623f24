// Types, constant data and names of a module being recorded.
#include <fmt/format.h>

#include <algorithm>

#include "dsl/constants.h"
#include "dsl/recording.h"
#include "runtime/support/check.h"

namespace weft::dsl {

namespace {

ir::TypeId scalar_named(std::string_view name) {
#define WEFT_SCALAR(kind, id, text, bits, category, letter) \
  if (name == (text)) {                                     \
    return ir::k##id;                                       \
  }
#include "codegen/ir/scalars.def"
  WEFT_UNREACHABLE("no scalar type is called {}", name);
}

// A C++ name as a word of the text form: scene::Light becomes scene_Light.
std::string word(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (fits) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  return result;
}

}  // namespace

ir::TypeId ModuleRecording::type(const TypeInfo& info) {
  if (const auto it = types_.find(&info); it != types_.end()) {
    return it->second;
  }
  const ir::TypeId id = make_type(info);
  types_.emplace(&info, id);
  return id;
}

ir::TypeId ModuleRecording::make_type(const TypeInfo& info) {
  ir::TypeTable& types = module_->types;
  switch (info.kind) {
    case TypeClass::scalar: return scalar_named(info.name);
    case TypeClass::vector: return types.vector(type(*info.element), info.count);
    case TypeClass::matrix: return types.matrix(type(*info.element), info.columns, info.count, info.stride_bytes);
    case TypeClass::array: return types.array(type(*info.element), info.count, info.stride_bytes);
    case TypeClass::structure: return make_structure(info);
    case TypeClass::buffer: return types.buffer(type(*info.element), info.stride_bytes);
    case TypeClass::byte_buffer: return types.byte_buffer();
    case TypeClass::reference: return types.reference(type(*info.element));
  }
  return {};
}

// Two structs of the host may share a name, as they may stand in different namespaces.
ir::TypeId ModuleRecording::make_structure(const TypeInfo& info) {
  std::vector<ir::Member> members;
  for (std::uint32_t i = 0; i < info.count; ++i) {
    const MemberInfo& m = info.members[i];
    members.push_back({m.name, type(*m.type), static_cast<std::uint32_t>(m.offset_bytes)});
  }
  const std::string base = word(info.name);
  std::string name = base;
  for (int n = 2; module_->types.find_structure(name).valid(); ++n) {
    name = fmt::format("{}_{}", base, n);
  }
  return module_->types.structure(name, members, info.size_bytes, static_cast<std::uint32_t>(info.align_bytes));
}

ir::GlobalId ModuleRecording::global(const char* name, ir::ConstantId data) {
  auto& globals = module_->globals;
  const auto same = std::ranges::find(globals, data, &ir::Global::data);
  if (same != globals.end()) {
    return ir::GlobalId(static_cast<std::size_t>(same - globals.begin()));
  }
  std::string unique = name;
  for (int n = 2; std::ranges::find(globals, unique, &ir::Global::name) != globals.end(); ++n) {
    unique = fmt::format("{}_{}", name, n);
  }
  globals.push_back({std::move(unique), data});
  return ir::GlobalId(globals.size() - 1);
}

ir::SpecId ModuleRecording::spec(const SpecInfo& info, Where where) {
  const ir::TypeId type_id = type(*info.type);
  const ir::ConstantId initial = module_->constant({type_id, leaves_of(*info.type, info.initial)});
  auto& specs = module_->specs;
  const auto same = std::ranges::find(specs, info.id, &ir::SpecConstant::id);
  if (same == specs.end()) {
    specs.push_back({info.name != nullptr ? info.name : fmt::format("spec_{}", info.id), info.id, initial});
    return ir::SpecId(specs.size() - 1);
  }
  if (same->initial != initial) {
    const ir::TypeId found = module_->constant(same->initial).type;
    fail(where, fmt::format("specialisation constant {} is used with type {} here and with type {}{} before", info.id,
                            module_->types.text(type_id), module_->types.text(found),
                            found == type_id ? " but another default" : ""));
  }
  return ir::SpecId(static_cast<std::size_t>(same - specs.begin()));
}

std::string ModuleRecording::unique_function_name(const char* name) const {
  std::string base = word(name);
  if (base.empty()) {
    base = "unnamed";
  }
  std::string unique = base;
  for (int n = 2; module_->find_function(unique).valid(); ++n) {
    unique = fmt::format("{}_{}", base, n);
  }
  return unique;
}

}  // namespace weft::dsl
