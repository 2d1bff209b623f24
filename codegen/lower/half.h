// f16 arithmetic beyond what LLVM does well. Sums, products, quotients and comparisons of LLVM's half are computed in
// f32 and rounded back, which gives the correctly rounded result; the rest is here, because LLVM takes vectors of half
// apart, calls a library to round f64 to half, or rounds twice.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// Applies `make` to f16 operands as f32 and rounds its result to f16. Right for every function whose f32 result is
// exact or, being correctly rounded, rounds on to f16 without harm (sqrt). Other operands are handed on as they are.
llvm::Value* through_f32(Emitter& e, llvm::ArrayRef<llvm::Value*> operands, const Emitter::Make& make);

// An f64 rounded to f16 once.
llvm::Value* f64_to_f16(Emitter& e, llvm::Value* value);

// a * b + c of f16, rounded once.
llvm::Value* fma_f16(Emitter& e, llvm::ArrayRef<llvm::Value*> operands);

}  // namespace weft::lower
