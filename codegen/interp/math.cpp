// Handlers of the family math. Ops of kind device call the device library, which kernels call too; f16 goes by way of
// f32.
#include "runtime/device_lib/math.h"
#include "codegen/interp/apply.h"
#include "codegen/interp/meaning_float.h"

namespace weft::interp::handlers {

void sqrt(const Context& c) { unary(c, WEFT_MEANING(sqrt)); }
void rsqrt(const Context& c) { unary(c, WEFT_MEANING(rsqrt)); }
void floor(const Context& c) { unary(c, WEFT_MEANING(floor)); }
void ceil(const Context& c) { unary(c, WEFT_MEANING(ceil)); }
void trunc(const Context& c) { unary(c, WEFT_MEANING(trunc)); }
void round(const Context& c) { unary(c, WEFT_MEANING(round)); }
void rint(const Context& c) { unary(c, WEFT_MEANING(rint)); }
void copysign(const Context& c) { binary(c, WEFT_MEANING(copysign)); }

namespace {

// The type in which the device library computes T.
template <Floating T>
using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

// The shapes of functions in math.def. `f` takes float or double.
template <class F>
void device_unary(const Context& c, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Floating T>() {
    map_leaves<T>(c, [&](T a) { return static_cast<T>(f(static_cast<Computed<T>>(a))); });
  });
}

template <class F>
void device_binary(const Context& c, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Floating T>() {
    map_leaves2<T, T>(
        c, [&](T a, T b) { return static_cast<T>(f(static_cast<Computed<T>>(a), static_cast<Computed<T>>(b))); });
  });
}

template <class F>
void device_with_integer(const Context& c, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Floating T>() {
    map_leaves2<T, std::int32_t>(
        c, [&](T a, std::int32_t n) { return static_cast<T>(f(static_cast<Computed<T>>(a), n)); });
  });
}

template <class F>
void device_to_integer(const Context& c, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Floating T>() {
    map_leaves<T>(c, [&](T a) -> std::int32_t { return f(static_cast<Computed<T>>(a)); });
  });
}

// One overload set for each row of the device library.
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method)   \
  [[maybe_unused]] constexpr auto device_##name = [](auto x, auto... y) { \
    if constexpr (std::is_same_v<decltype(x), double>) {                  \
      return weft_##name##_f64x1(x, y...);                                \
    } else {                                                              \
      return weft_##name##_f32x1(x, y...);                                \
    }                                                                     \
  };                                                                      \
  [[maybe_unused]] void call_##name(const Context& c) { device_##shape(c, device_##name); }
#include "runtime/device_lib/math.def"

}  // namespace

#define WEFT_HANDLER_core(name)
#define WEFT_HANDLER_expand(name)
#define WEFT_HANDLER_device(name) \
  void name(const Context& c) { call_##name(c); }
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) WEFT_HANDLER_##kind(name)
#include "codegen/ir/ops.def"
#undef WEFT_HANDLER_core
#undef WEFT_HANDLER_expand
#undef WEFT_HANDLER_device

}  // namespace weft::interp::handlers
