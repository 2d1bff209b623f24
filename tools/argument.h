// What `weftc run --arg NAME=WHAT` gives to a kernel.
//
//   @FILE.npy           an array file; @FILE with another ending is raw bytes
//   zeros:TYPE:COUNT    COUNT values of a type in text form; an empty type is the parameter's own
//   iota:TYPE:COUNT     0, 1, 2, ... number by number
//   random:TYPE:COUNT[:SEED]  floats in [0, 1), integers of all bits; the same for the same seed everywhere
//   fill:TYPE:COUNT:VALUE
//   2.5   1,2,3         a value: a number for each component
#pragma once

#include "tools/value_type.h"

#include <weft/shader.h>

#include <cstddef>
#include <string>
#include <vector>

namespace weft::tools {

struct KernelArgument {
  std::string name;
  bool is_buffer = false;
  ValueType type;  // of the value, or of the buffer's elements
  std::vector<std::byte> bytes;

  std::uint64_t count() const { return type.size_bytes == 0 ? 0 : bytes.size() / type.size_bytes; }
};

// The arguments in the kernel's order. Throws UsageFailure (missing, unknown, given twice, does not fit) and FileError.
std::vector<KernelArgument> read_arguments(const ShaderInfo& kernel, const std::vector<std::string>& texts);

}  // namespace weft::tools
