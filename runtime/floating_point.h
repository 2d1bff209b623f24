// The floating-point state that kernels run in: round to nearest, denormals kept (no FTZ, no DAZ), all exceptions
// masked. Workers keep it; a host's thread gets it while it runs blocks, and its own state back afterwards.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#error "the floating-point state of this architecture is not described"
#endif

namespace weft::runtime {

#if defined(__x86_64__)
using FloatingPointState = std::uint32_t;  // MXCSR
inline constexpr FloatingPointState kKernelFloatingPoint = 0x1f80;
inline FloatingPointState floating_point_state() { return _mm_getcsr(); }
inline void set_floating_point_state(FloatingPointState state) { _mm_setcsr(state); }
#else
using FloatingPointState = std::uint64_t;  // FPCR
inline constexpr FloatingPointState kKernelFloatingPoint = 0;
inline FloatingPointState floating_point_state() { return __builtin_aarch64_get_fpcr64(); }
inline void set_floating_point_state(FloatingPointState state) { __builtin_aarch64_set_fpcr64(state); }
#endif

// Kernels' state until the end of the scope, then again what was there before, exception flags included.
class FloatingPointScope {
 public:
  FloatingPointScope() : outer_(floating_point_state()) { set_floating_point_state(kKernelFloatingPoint); }
  ~FloatingPointScope() { set_floating_point_state(outer_); }
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;

 private:
  FloatingPointState outer_;
};

}  // namespace weft::runtime
