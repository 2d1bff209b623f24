// Whether a module keeps the rules of the IR. All mistakes are found, not the first; once there are none, passes,
// lowering and interpreter take the module as it is.
//
// Checked, each in the file named:
//   type_rules      sizes, alignments, strides, offsets; no overlapping members; one struct for each name
//   module_rules    one function, const and spec for each name, one spec for each id; constants have the leaves of
//   their type function_rules  types of parameters and result, block and warp size, restrict on buffers of kernels;
//   callables with a
//                   result return one on every path
//   structure       ops stand in one place; number of regions; what ends a region stands at its end and where it may;
//   case
//                   values; shared at the top of a kernel; nesting; a value is used where it is visible
//   op_rules        number and types of operands, result type, parts, components, arguments, print formats
//   references      nothing writes to constant data; atomics act on buffers and shared memory; references given to one
//   call
//                   do not overlap
//   recursion       no function calls itself, by whatever way
//
// Not checked, because it depends on values: barriers reached by all lanes, indices in range, buffers that overlap.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "codegen/ir/module.h"
#include "runtime/support/diagnostic.h"
#include "runtime/support/result.h"

namespace weft::ir {

// The mistakes of a module; empty if there are none. New types may be made in the module's table.
[[nodiscard]] DiagnosticList verify(Module& module);

// A module from its text form, if it can be read and keeps the rules.
Result<std::unique_ptr<Module>> parse_verified(std::string_view source, std::string file_name);

}  // namespace weft::ir
