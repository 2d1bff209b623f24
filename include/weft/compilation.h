// A shader that is being compiled on another thread:
//
//   auto shade = device.compile_async(shade_kernel);
//   auto blur = device.compile_async(blur_kernel);      // both at once
//   stream << shade.get()(image).dispatch(width, height);
#pragma once

#include <weft/export.h>

#include <memory>

namespace weft {

namespace detail {
struct ShaderState;
class CompilationState;

// Waits until it is compiled; compiles it on this thread if no other has begun. Throws what compiling threw.
WEFT_API std::shared_ptr<ShaderState> wait_for(const std::shared_ptr<CompilationState>& state);
WEFT_API bool is_ready(const std::shared_ptr<CompilationState>& state);
}  // namespace detail

// S is a Shader<Args...> or a DynamicShader. Copies name the same compilation; dropping the last one does not stop it.
template <typename S>
class Compilation {
 public:
  Compilation() = default;
  explicit Compilation(std::shared_ptr<detail::CompilationState> state) : state_(std::move(state)) {}

  // The shader, waiting for it if need be. The caller compiles it if nobody has begun: it may be called anywhere, and
  // often. Throws CompileError.
  S get() const { return S(detail::wait_for(state_)); }

  // Whether get() would return, or throw, at once.
  bool is_ready() const { return detail::is_ready(state_); }

 private:
  std::shared_ptr<detail::CompilationState> state_;
};

}  // namespace weft
