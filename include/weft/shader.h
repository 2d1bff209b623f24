// Shaders: kernels compiled for a device. Calling one binds its arguments, dispatch() makes a command of it:
//
//   stream << shader(particles, energy, 0.01f).dispatch(count);
//
// A Shader<Args...> comes from a kernel of the DSL, and the C++ compiler checks its arguments. A DynamicShader comes
// from text or from a file: its arguments are checked when it is called, by number or by name.
#pragma once

#include <weft/buffer.h>
#include <weft/element.h>
#include <weft/export.h>
#include <weft/math_types.h>
#include <weft/stream.h>
#include <weft/uniform.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

// Of optimiser and code generator. Automatic goes by the size of the kernel: full up to some thousand ops, reduced (no
// pass whose time grows faster than the kernel) up to some ten thousand, then minimal.
enum class Effort { automatic, minimal, reduced, full };
enum class MathMode { strict, precise, fast };
// How a kernel with barriers runs: as coroutines that are suspended at each barrier, one for each pack (at width 1 for
// each lane), or cut at its barriers into loops over packs. Only a kernel whose barriers are provably block-uniform,
// with little that lives across them, can be cut; another runs as coroutines whatever is asked for.
enum class Form { automatic, coroutines, fission };

struct ShaderOptions {
  std::uint32_t width = 0;            // pack width 1, 4, 8, 16 or 32; 0: the device's
  Effort effort = Effort::automatic;  // automatic: the device's
  Form form = Form::automatic;        // automatic: the device's
  std::optional<MathMode> math{};     // in place of the kernel's
  std::optional<bool> unchecked{};    // no range checks, in place of the kernel's attribute
  bool interruptible = false;  // long loops end soon, too, when a dispatch is cancelled, but for kernels with barriers
  std::map<std::uint32_t, std::uint64_t> specs{};  // specialisation constant id -> bits of its value
};

namespace detail {

struct ShaderState;

// Who has compared the arguments' types with the kernel's.
enum class Typing { by_compiler, at_call };

// A reference to one argument, for the length of a call.
struct ArgumentRef {
  ElementType type;                    // of the value or of the elements
  const void* value = nullptr;         // null for a buffer, and for a graph's uniform
  const BufferRange* range = nullptr;  // null for a value
  const UniformRef* uniform = nullptr;

  template <typename T>
  static ArgumentRef to(const BufferView<T>& view) {
    return {element_type<T>(), nullptr, &view.range()};
  }
  template <typename T>
  static ArgumentRef to(const Buffer<T>& buffer) {
    return {element_type<T>(), nullptr, &buffer.range()};
  }
  template <typename T>
  static ArgumentRef to(const GraphUniform<T>& uniform) {
    return {element_type<T>(), nullptr, nullptr, &uniform.ref()};
  }
  template <typename T>
  static ArgumentRef to(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "an argument is a buffer, or a value that is copied as bytes");
    return {element_type<T>(), &value, nullptr};
  }
};

}  // namespace detail

// How a kernel whose blocks wait for each other is dispatched.
struct CooperativeOptions {
  // Most memory that the blocks may take, which all live at once; 0: what WEFT_COOPERATIVE_MIB says, and without that
  // what the machine has left.
  std::uint64_t memory_limit_bytes = 0;
  // Another thread of the host may submit what wakes the blocks while this one waits for them. Without it, a dispatch
  // all of whose blocks wait is a KernelFault as soon as a thread of the host waits and no command is left that could
  // wake one.
  bool host_wakes = false;
};

// A shader with its arguments, yet without a size.
class WEFT_API Invocation {
 public:
  Invocation(const std::shared_ptr<detail::ShaderState>& shader, std::span<const detail::ArgumentRef> arguments,
             detail::Typing typing);
  Invocation(Invocation&& other) noexcept;
  Invocation& operator=(Invocation&& other) noexcept;
  ~Invocation();

  // All blocks of the grid live at once, so that they may wait for each other: grid_sync(), wait_until(). What that
  // takes in memory is computed before anything runs; OutOfMemoryError, with the numbers, if it cannot be had.
  Invocation cooperative(const CooperativeOptions& options = {}) &&;

  // Runs at least x * y * z lanes, in whole blocks; lanes beyond stay off. Each dimension is below 2^32. A size of 0 in
  // any dimension does nothing.
  DispatchCommand dispatch(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) &&;
  // Runs x * y * z blocks.
  DispatchCommand dispatch_blocks(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) &&;

  // The same with x, y and z read from the first element of a buffer when the stream comes to the command. A size
  // beyond the limit in any dimension runs nothing, and is a UsageError at the next synchronize().
  DispatchCommand dispatch_indirect(const BufferView<uint3>& size, std::array<std::uint64_t, 3> limit) &&;
  DispatchCommand dispatch_blocks_indirect(const BufferView<uint3>& size, std::array<std::uint64_t, 3> limit) &&;

 private:
  DispatchCommand sized(std::array<std::uint64_t, 3> size, bool in_blocks);
  DispatchCommand sized_by(const detail::BufferRange& size, std::array<std::uint64_t, 3> limit, bool in_blocks);

  std::unique_ptr<detail::CommandState> state_;
};

// What is known of a compiled kernel.
struct ShaderInfo {
  struct Argument {
    std::string name;
    std::string type;               // in text form: buffer<f32>, vec<f32, 3>
    bool is_buffer = false;         // of elements or of bytes
    std::string value_type;         // of the value or of an element; "byte" for a byte buffer
    std::uint64_t value_bytes = 0;  // size of the value, or distance of the elements
  };
  std::string name;
  std::array<std::uint32_t, 3> block_size{};
  std::uint32_t pack_width = 0;  // lanes compiled as one SIMD program; 0 where it means nothing
  std::uint32_t warp_size = 0;
  bool is_cooperative = false;  // its blocks wait for each other: shader(...).cooperative().dispatch(n)
  std::vector<Argument> arguments;
};

namespace detail {

// What all shaders are. Copies name the same compiled kernel.
class WEFT_API ShaderBase {
 public:
  ShaderBase() = default;
  explicit ShaderBase(std::shared_ptr<ShaderState> state) : state_(std::move(state)) {}

  const ShaderInfo& info() const;

 protected:
  std::shared_ptr<ShaderState> state_;
};

}  // namespace detail

namespace detail {

template <typename Given, typename Arg>
concept FitsArgument = std::same_as<Given, GraphUniform<Arg>> || std::convertible_to<const Given&, Arg>;

template <typename Arg, typename Given>
decltype(auto) as_argument(const Given& given) {
  if constexpr (kIsUniform<Given>) {
    return (given);
  } else {
    return static_cast<Arg>(given);
  }
}

}  // namespace detail

// Args are the host's types: BufferView<T> for buffers, T for values.
template <typename... Args>
class Shader : public detail::ShaderBase {
 public:
  Shader() = default;
  explicit Shader(std::shared_ptr<detail::ShaderState> state) : ShaderBase(std::move(state)) {}

  Invocation operator()(const std::type_identity_t<Args>&... arguments) const {
    const std::array<detail::ArgumentRef, sizeof...(Args)> references{detail::ArgumentRef::to(arguments)...};
    return Invocation(state_, references, detail::Typing::by_compiler);
  }

  // The same for a graph, with uniforms of it in place of values.
  template <typename... Given>
    requires(sizeof...(Given) == sizeof...(Args) && (detail::kIsUniform<Given> || ...) &&
             (detail::FitsArgument<Given, Args> && ...))
  Invocation operator()(const Given&... given) const {
    return bind(detail::as_argument<Args>(given)...);
  }

 private:
  template <typename... Bound>
  Invocation bind(const Bound&... bound) const {
    const std::array<detail::ArgumentRef, sizeof...(Args)> references{detail::ArgumentRef::to(bound)...};
    return Invocation(state_, references, detail::Typing::by_compiler);
  }
};

// An argument by name, for the length of a call.
struct NamedArgument {
  template <typename T>
  NamedArgument(std::string_view name, const T& argument) : name(name), argument(detail::ArgumentRef::to(argument)) {}
  NamedArgument(std::string_view name, const detail::ArgumentRef& argument) : name(name), argument(argument) {}

  std::string_view name;
  detail::ArgumentRef argument;
};

class WEFT_API DynamicShader : public detail::ShaderBase {
 public:
  using ShaderBase::ShaderBase;

  // The arguments in the kernel's order. Throws UsageError if number, types or sizes do not fit.
  template <typename... Args>
    requires(!std::same_as<std::remove_cvref_t<Args>, NamedArgument> && ...)
  Invocation operator()(const Args&... arguments) const {
    const std::array<detail::ArgumentRef, sizeof...(Args)> references{detail::ArgumentRef::to(arguments)...};
    return Invocation(state_, references, detail::Typing::at_call);
  }

  // The arguments by name, each exactly once: shader({{"in", in}, {"scale", 2.f}}).
  Invocation operator()(std::initializer_list<NamedArgument> arguments) const {
    return bind(std::span(arguments.begin(), arguments.size()));
  }
  Invocation bind(std::span<const NamedArgument> arguments) const;
};

}  // namespace weft
