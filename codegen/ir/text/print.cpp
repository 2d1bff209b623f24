#include "codegen/ir/text/print.h"

#include <fmt/format.h>

#include "codegen/ir/text/parse.h"
#include "codegen/ir/text/print_function.h"
#include "codegen/ir/text/spelling.h"

namespace weft::ir {

namespace {

std::string struct_text(const TypeTable& types, TypeId id) {
  const Type& type = types[id];
  std::string members;
  for (const Member& m : type.members) {
    members +=
        fmt::format("{} {}: {} @{}", members.empty() ? "" : ",", spelled(m.name), types.text(m.type), m.offset_bytes);
  }
  return fmt::format("struct {} size {} align {} {{{} }}\n", types.text(id), type.size_bytes, type.align_bytes,
                     members);
}

// The type and data of a const or spec.
std::string initialised_text(const Module& m, TypeTable& types, ConstantId id) {
  const Constant& constant = m.constant(id);
  const std::string data = data_text(types, constant);
  const bool scalar = is_scalar(m.types[constant.type].kind);
  return fmt::format("{} = {}{}{}", m.types.text(constant.type), scalar ? "" : "[", data, scalar ? "" : "]");
}

}  // namespace

std::string print(const Module& m, PrintOptions options) {
  TypeTable types = m.types;
  std::string out = fmt::format("weft {}\n", kTextVersion);
  for (std::size_t i = 0; i < m.types.size(); ++i) {
    if (m.types[TypeId(i)].kind == TypeKind::structure) {
      out += struct_text(m.types, TypeId(i));
    }
  }
  for (const Global& global : m.globals) {
    out += fmt::format("const @{}: {}\n", spelled(global.name), initialised_text(m, types, global.data));
  }
  for (const SpecConstant& spec : m.specs) {
    out += fmt::format("spec @{}: {} id({})\n", spelled(spec.name), initialised_text(m, types, spec.initial), spec.id);
  }
  for (const Function& f : m.functions) {
    out += "\n" + FunctionPrinter(m, f, types, options).run();
  }
  return out;
}

std::string print(const Module& module, const Function& function, PrintOptions options) {
  TypeTable types = module.types;
  return FunctionPrinter(module, function, types, options).run();
}

std::vector<std::string> value_texts(const Module& module, const Function& function, PrintOptions options) {
  TypeTable types = module.types;
  return FunctionPrinter(module, function, types, options).texts_of_values();
}

}  // namespace weft::ir
