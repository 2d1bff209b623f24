#include <weft/math_types.h>

#include <bit>

namespace weft {

half::half(float value) : bits(std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) {}
half::operator float() const { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

}  // namespace weft
