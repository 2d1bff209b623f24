// Calls of the device library's functions, by name: the library is linked as bitcode later, when the module is
// complete.
#pragma once

#include <string_view>

#include "codegen/lower/emitter.h"

namespace weft::lower {

// Calls weft_<name>_<kind>x<lanes> on scalars or packs; packs wider than the library's are cut into pieces. The
// operands have as many lanes as the result, whose scalar type is `result`. Such functions are pure, so all lanes are
// computed.
llvm::Value* call_device(Emitter& e, std::string_view name, ir::TypeKind kind, llvm::ArrayRef<llvm::Value*> operands,
                         llvm::Type* result);

}  // namespace weft::lower
