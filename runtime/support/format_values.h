// The text of what a kernel prints, for compiled kernels and the interpreter alike.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft {

// The format with each "{}" replaced by a value, in order; any other brace stands for itself. `types` has one letter
// for each value: b bool, c C s S i I l L signed or unsigned of 8, 16, 32, 64 bits, h f d floats of 16, 32, 64 bits. A
// value is in the low bytes of its slot. A "{}" without a value stays.
[[nodiscard]] std::string format_values(std::string_view format, std::string_view types,
                                        std::span<const std::uint64_t> values);

}  // namespace weft
