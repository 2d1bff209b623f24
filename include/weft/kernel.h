// Kernels: a lambda recorded once, when the Kernel1D, 2D or 3D is made.
//
//   Kernel1D scale{"scale", block_size(256), names("data", "factor"), [](BufferVar<float> data, Float factor) {
//     data.write(dispatch_id().x, data.read(dispatch_id().x) * factor);
//   }};
//
// Attributes, in any order between name and lambda: block_size(x, y, z), warp_size(16), math_fast, math_precise,
// math_strict, unchecked(), no_alias(), names(...). A mistake throws DslError with its place in the user's code.
#pragma once

#include <weft/dsl/callable.h>

#include <cstddef>

namespace weft {

// --- attributes
struct BlockSize {
  std::uint32_t x, y, z;
  void set(dsl::KernelOptions& o) const { o.block[0] = x, o.block[1] = y, o.block[2] = z; }
};
// Lanes of a block in each dimension. The default is 256, 16 x 16 and 8 x 8 x 4.
constexpr BlockSize block_size(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) { return {x, y, z}; }

struct WarpSize {
  std::uint32_t lanes;
  void set(dsl::KernelOptions& o) const { o.warp_size = lanes; }
};
// Lanes of a warp: 8, 16 or, the default, 32.
constexpr WarpSize warp_size(std::uint32_t lanes) { return {lanes}; }

struct Math {
  const char* mode;
  void set(dsl::KernelOptions& o) const { o.math = mode; }
};
inline constexpr Math math_strict{"strict"};    // IEEE operations, a product fused into the sum that uses it
inline constexpr Math math_precise{"precise"};  // nothing fused
inline constexpr Math math_fast{"fast"};        // reassociated and approximate

struct Unchecked {
  void set(dsl::KernelOptions& o) const { o.unchecked = true; }
};
// No range checks: an access out of range is undefined.
constexpr Unchecked unchecked() { return {}; }

struct NoAlias {
  void set(dsl::KernelOptions& o) const { o.no_alias = true; }
};
// No two buffer arguments overlap.
constexpr NoAlias no_alias() { return {}; }

struct ParameterNames {
  const char* names[dsl::KernelOptions::kMaxNames] = {};
  std::uint32_t count = 0;
  void set(dsl::KernelOptions& o) const {
    for (std::uint32_t i = 0; i < count; ++i) o.names[i] = names[i];
    o.name_count = count;
  }
};
// What the parameters are called in messages, text and tools; otherwise param_0, param_1 and so on.
template <class... N>
  requires(sizeof...(N) <= dsl::KernelOptions::kMaxNames)
constexpr ParameterNames names(N... list) {
  return {{list...}, sizeof...(N)};
}

// --- what the host passes for a parameter
template <class T>
class BufferView;

template <class Parameter>
struct HostArgument;
template <class T>
struct HostArgument<Var<T>> {
  using type = T;
};
template <class T>
struct HostArgument<Expr<T>> {
  using type = T;
};
template <class T>
struct HostArgument<BufferVar<T>> {
  using type = BufferView<T>;
};
template <>
struct HostArgument<ByteBufferVar> {
  using type = BufferView<std::byte>;
};
template <class Parameter>
using host_argument_t = typename HostArgument<Parameter>::type;

// A recorded kernel and its parameters' types (Float, BufferVar<T>, ...). Copies share the module.
template <class... Parameters>
class Kernel {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::shared_ptr<const ir::Module>& module() const { return module_; }

 protected:
  template <class F>
  Kernel(dsl::Name name, const dsl::KernelOptions& options, const F& lambda) : name_(name.text) {
    static constexpr dsl::ParameterInfo parameters[] = {dsl::parameter_t<Parameters>::info..., {nullptr}};
    module_ = dsl::record_kernel({name.text, parameters, sizeof...(Parameters), nullptr, name.where}, options,
                                 {&dsl::Invoke<F, void(Parameters...)>::run, &lambda});
  }

 private:
  std::string name_;
  std::shared_ptr<const ir::Module> module_;
};

namespace dsl {

template <class Signature>
struct KernelOf {
  static_assert(std::same_as<Signature, void()>, "a kernel's lambda returns nothing");
};
template <class... P>
struct KernelOf<void(P...)> {
  static_assert(((!std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>) && ...),
                "a kernel's parameters are passed by value; references are for callables");
  using type = Kernel<std::remove_cvref_t<P>...>;
};

template <class First, class... Rest>
const auto& last_of(const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return first;
  } else {
    return last_of(rest...);
  }
}

template <class First, class... Rest>
void set_attributes(KernelOptions& options, const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) > 0) {
    first.set(options);
    set_attributes(options, rest...);
  }
}

template <class... A>
KernelOptions options_of(std::uint32_t dimensions, const A&... attributes) {
  KernelOptions options;
  options.dimensions = dimensions;
  set_attributes(options, attributes...);
  return options;
}

template <class... A>
using kernel_signature_t = signature_t<std::remove_cvref_t<decltype(last_of(std::declval<const A&>()...))>>;

}  // namespace dsl

#define WEFT_DSL_KERNEL(dimensions)                                                                   \
  template <class Signature>                                                                          \
  class Kernel##dimensions##D : public dsl::KernelOf<Signature>::type {                               \
   public:                                                                                            \
    template <class... A>                                                                             \
    Kernel##dimensions##D(dsl::Name name, const A&... attributes_and_lambda)                          \
        : dsl::KernelOf<Signature>::type(name, dsl::options_of(dimensions, attributes_and_lambda...), \
                                         dsl::last_of(attributes_and_lambda...)) {}                   \
  };                                                                                                  \
  template <class... A>                                                                               \
  Kernel##dimensions##D(dsl::Name, A...)->Kernel##dimensions##D<dsl::kernel_signature_t<A...>>;
WEFT_DSL_KERNEL(1)
WEFT_DSL_KERNEL(2)
WEFT_DSL_KERNEL(3)
#undef WEFT_DSL_KERNEL

}  // namespace weft
