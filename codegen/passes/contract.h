// Fuses products into the sums that use them, as strict math defines it: a product with exactly one use, by a sum or
// difference in the same region, becomes one fma with it; of two candidates the left. f32 and f64 only.
//
//   a * b + c  and  c + a * b   fma(a, b, c)
//   a * b - c                   fma(a, b, -c)
//   c - a * b                   fma(-a, b, c)
//
// As a product in another region, behind a local, a call or memory is no operand of the sum, or not of the same region,
// fusing depends on the user's expression alone.
#pragma once

#include "codegen/ir/module.h"

namespace weft::passes {

[[nodiscard]] ir::Function contract(ir::Module& module, const ir::Function& from);

}  // namespace weft::passes
