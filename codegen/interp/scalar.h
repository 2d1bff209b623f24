// The scalars of the IR as C++ types, and the bits by which the interpreter keeps them: zero-extended to 64.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "codegen/ir/type.h"
#include "runtime/support/check.h"

namespace weft::interp {

using Half = _Float16;

template <class T>
concept Floating = std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept Boolean = std::is_same_v<T, bool>;
template <class T>
concept Integer = std::is_integral_v<T> && !Boolean<T>;
template <class T>
concept Number = Integer<T> || Floating<T>;
template <class T>
concept Bits = Integer<T> || Boolean<T>;

template <class T>
using UnsignedOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
constexpr T from_bits(std::uint64_t bits) {
  if constexpr (Boolean<T>) {
    return bits != 0;
  } else {
    return std::bit_cast<T>(static_cast<UnsignedOf<T>>(bits));
  }
}

template <class T>
constexpr std::uint64_t to_bits(T value) {
  return std::bit_cast<UnsignedOf<T>>(value);
}

template <ir::TypeKind>
struct ScalarOf;
#define WEFT_CPP_TYPE(kind, T)          \
  template <>                           \
  struct ScalarOf<ir::TypeKind::kind> { \
    using type = T;                     \
  };
WEFT_CPP_TYPE(boolean, bool)
WEFT_CPP_TYPE(i8, std::int8_t)
WEFT_CPP_TYPE(i16, std::int16_t)
WEFT_CPP_TYPE(i32, std::int32_t)
WEFT_CPP_TYPE(i64, std::int64_t)
WEFT_CPP_TYPE(u8, std::uint8_t)
WEFT_CPP_TYPE(u16, std::uint16_t)
WEFT_CPP_TYPE(u32, std::uint32_t)
WEFT_CPP_TYPE(u64, std::uint64_t)
WEFT_CPP_TYPE(f16, Half)
WEFT_CPP_TYPE(f32, float)
WEFT_CPP_TYPE(f64, double)
#undef WEFT_CPP_TYPE

// Calls f.template operator()<T>() with the C++ type of a scalar kind, if `f` takes it; the verifier makes sure of
// that.
template <class F>
void visit_scalar(ir::TypeKind kind, F&& f) {
  switch (kind) {
#define WEFT_SCALAR(name, id, text, bits, category, letter)   \
  case ir::TypeKind::name: {                                  \
    using T = ScalarOf<ir::TypeKind::name>::type;             \
    if constexpr (requires { f.template operator()<T>(); }) { \
      return f.template operator()<T>();                      \
    }                                                         \
    break;                                                    \
  }
#include "codegen/ir/scalars.def"
    case ir::TypeKind::void_:
    case ir::TypeKind::vector:
    case ir::TypeKind::matrix:
    case ir::TypeKind::array:
    case ir::TypeKind::structure:
    case ir::TypeKind::buffer:
    case ir::TypeKind::byte_buffer:
    case ir::TypeKind::reference: break;
  }
  WEFT_UNREACHABLE("an operand of type kind {}", static_cast<int>(kind));
}

}  // namespace weft::interp
