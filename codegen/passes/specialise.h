// Replaces spec ops by constants and points calls to the functions of another module.
#pragma once

#include <map>
#include <unordered_map>

#include "codegen/ir/module.h"

namespace weft::passes {

// `module` grew out of the source's Module::without_functions(); `functions` says where callees of `from` are in it.
// `values` holds what is to be taken in place of defaults, by the constants' ids.
[[nodiscard]] ir::Function specialise(ir::Module& module, const ir::Function& from,
                                      const std::map<std::uint32_t, ir::Constant>& values,
                                      const std::unordered_map<ir::FunctionId, ir::FunctionId>& functions);

}  // namespace weft::passes
