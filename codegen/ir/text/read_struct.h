// Reads the declaration of a struct.
#pragma once

#include "codegen/ir/text/reader.h"

namespace weft::ir {

// What follows the word `struct`; the type is made in the table. False if reading cannot go on behind it.
[[nodiscard]] bool read_struct(Reader& in, TypeTable& types);

}  // namespace weft::ir
