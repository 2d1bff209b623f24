// Generated arrays: zeros, iota, random, fill.
#pragma once

#include "codegen/ir/type.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::tools {

// Makes `count` scalars by the word and the parameters behind type and count: the seed of random, the value of fill.
// Throws UsageFailure.
std::vector<std::byte> generate(std::string_view word, ir::TypeKind scalar, std::uint64_t count,
                                const std::vector<std::string_view>& parameters);

// Whether the word names a generator.
bool is_generator(std::string_view word);

}  // namespace weft::tools
