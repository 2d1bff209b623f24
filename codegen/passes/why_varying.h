// The question: why is an index not the same in every lane, nor a constant step from lane to lane? Answered in words,
// for people who want to know what makes an access a gather.
#pragma once

#include <string>

#include "codegen/ir/module.h"
#include "codegen/passes/shape.h"

namespace weft::passes {

// "it depends on %j, loaded from %next at line 12". Empty for uniform and affine values.
[[nodiscard]] std::string why_varying(const ir::Function& function, const ir::Module& module, const Shapes& shapes,
                                      ir::ValueId value);

// "uniform", "affine +4", "rows +1", "varying"; of several slots what differs, split by ", ". Steps are divided by
// `unit` where it divides them all, else they are in bytes.
[[nodiscard]] std::string text(std::span<const Shape> shapes, std::uint64_t unit_bytes = 1);

}  // namespace weft::passes
