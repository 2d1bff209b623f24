// Reads a module from its text form. What print.h writes, this reads back to the same module.
//
//   weft 1
//   struct Particle size 32 align 4 { position: vec<f32, 3> @0, mass: f32 @12 }
//   const @table: array<f32, 4> = [0.0, 1.0, 2.0, 3.0]
//   spec @samples: u32 = 16 id(3)
//   callable @half(%a: f32) -> f32 { return %b }
//   kernel @k(%in: buffer<f32>, %out: restrict buffer<f32>) block(256) warp(16) math(fast) unchecked { ... }
//
// docs/ir.md describes the grammar. Items may use constants and functions that stand further down; a struct is declared
// before it is used. All errors are collected; reading goes on at the next line or closing brace. The rules that depend
// on where an op stands are left to verify.h. Any bytes may be given: the outcome is a module or errors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "codegen/ir/module.h"
#include "runtime/support/result.h"

namespace weft::ir {

inline constexpr std::uint32_t kTextVersion = 1;

// `file_name` is what diagnostics and locations say. An op's location is where it stands in the text, unless it says
// another (` at "file.cpp":41:7`).
Result<std::unique_ptr<Module>> parse(std::string_view source, std::string file_name);

}  // namespace weft::ir
