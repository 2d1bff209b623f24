// Slots: the scalar leaves of a type with each array's elements taken together. A float3 has three slots, an array of a
// thousand float3 also. Analyses keep one fact for each slot of a value or variable, and the lowering one stack
// variable for each slot of a local (with as many elements as the arrays around it have).
#pragma once

#include <cstdint>
#include <functional>

#include "codegen/ir/module.h"

namespace weft::passes {

// Number of slots of a value type; of anything else 1.
[[nodiscard]] std::uint32_t slot_count(ir::TypeTable& types, ir::TypeId type);

// Whether an array is part of a type, so that a slot of it stands for several leaves.
[[nodiscard]] bool has_array(const ir::TypeTable& types, ir::TypeId type);

// First slot of part `index` (an array's elements all start at 0).
[[nodiscard]] std::uint32_t slot_of_part(ir::TypeTable& types, ir::TypeId aggregate, std::uint64_t index);

}  // namespace weft::passes
