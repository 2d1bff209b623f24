// Shaders: arguments are checked against what is known of the kernel and put into the form of the C interface.
#include "backend/shader_state.h"

#include "backend/buffer_state.h"
#include "backend/command_state.h"

#include <weft/error.h>
#include <weft/shader.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {
namespace detail {
namespace {

std::string signature(const ShaderInfo& kernel) {
  std::string text;
  for (const ShaderInfo::Argument& argument : kernel.arguments) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", argument.name, argument.type);
  }
  return fmt::format("kernel '{}' ({})", kernel.name, text);
}

std::string argument_text(const ShaderInfo& kernel, std::size_t index) {
  return fmt::format("argument {} ('{}') of kernel '{}'", index + 1, kernel.arguments[index].name, kernel.name);
}

std::string given_text(const ArgumentRef& given) {
  const std::string size = fmt::format("{} bytes", given.type.size_bytes);
  const std::string text = type_text(given.type);
  return fmt::format("{} {}", given.range != nullptr ? "a buffer of" : "a value of",
                     text.empty() ? size : fmt::format("{} ({})", text, size));
}

bool fits(const ShaderInfo::Argument& asked, const ArgumentRef& given, Typing typing) {
  if (asked.is_buffer != (given.range != nullptr)) return false;
  if (typing == Typing::by_compiler) return asked.value_bytes == given.type.size_bytes;
  return matches(given.type, asked.value_type, asked.value_bytes);
}

[[noreturn]] void throw_misfit(const ShaderInfo& kernel, std::size_t index, const ArgumentRef& given) {
  const ShaderInfo::Argument& asked = kernel.arguments[index];
  throw UsageError(fmt::format("{} is {} {} ({} bytes); it was given {}", argument_text(kernel, index),
                               asked.is_buffer ? "a buffer of" : "a value of", asked.value_type, asked.value_bytes,
                               given_text(given)));
}

std::uint64_t total_value_bytes(const ShaderInfo& kernel) {
  std::uint64_t sum = 0;
  for (const ShaderInfo::Argument& argument : kernel.arguments) sum += argument.is_buffer ? 0 : argument.value_bytes;
  return sum;
}

void bind_buffer(CommandState& state, std::size_t index, const ArgumentRef& given) {
  const ShaderInfo& kernel = state.shader->info;
  UsedRange used = use(*given.range, argument_text(kernel, index));
  if (used.memory->device != state.device) {
    check_same_device(*used.memory->device, argument_text(kernel, index), *state.device, "the shader");
  }
  state.arguments[index].range = used.range;
  state.memories.push_back(std::move(used.memory));
}

void bind_value(CommandState& state, std::size_t index, const ArgumentRef& given) {
  const std::size_t offset = state.values.size();
  const auto* const bytes = static_cast<const std::byte*>(given.value);
  if (given.uniform != nullptr) {
    const std::string label = argument_text(state.shader->info, index);
    state.uniforms.push_back({*given.uniform, offset, given.type.size_bytes, label});
    state.values.resize(offset + given.type.size_bytes);  // never beyond what was reserved
  } else {
    state.values.insert(state.values.end(), bytes, bytes + given.type.size_bytes);
  }
  state.arguments[index].value = state.values.data() + offset;
}

bool overlap(const WeftRange& a, const WeftRange& b) {
  return a.buffer == b.buffer && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

// A buffer that is declared `restrict` may overlap no other argument.
void check_restrict(const CommandState& state) {
  const WeftKernelInfo& kernel = state.shader->kernel;
  for (std::uint32_t i = 0; i < kernel.argument_count; ++i) {
    if (kernel.arguments[i].is_restrict == 0) continue;
    for (std::uint32_t j = 0; j < kernel.argument_count; ++j) {
      if (i == j || !overlap(state.arguments[i].range, state.arguments[j].range)) continue;
      throw UsageError(fmt::format("{} is declared restrict, yet overlaps argument {} ('{}')",
                                   argument_text(state.shader->info, i), j + 1, kernel.arguments[j].name));
    }
  }
}

std::unique_ptr<CommandState> bind(const std::shared_ptr<ShaderState>& shader, std::span<const ArgumentRef> arguments,
                                   Typing typing) {
  if (shader == nullptr) throw UsageError("a shader is called that was never compiled, or was moved from");
  const ShaderInfo& kernel = shader->info;
  const std::size_t count = kernel.arguments.size();
  if (arguments.size() != count) {
    throw UsageError(fmt::format("{} takes {} arguments; it was given {}", signature(kernel), count, arguments.size()));
  }
  auto state = std::make_unique<CommandState>();
  state->what = "dispatch of kernel '" + kernel.name + "'";
  state->device = shader->device;
  state->shader = shader;
  state->arguments.resize(count);
  state->values.reserve(total_value_bytes(kernel));
  for (std::size_t i = 0; i < count; ++i) {
    if (!fits(kernel.arguments[i], arguments[i], typing)) throw_misfit(kernel, i, arguments[i]);
    if (kernel.arguments[i].is_buffer) {
      bind_buffer(*state, i, arguments[i]);
    } else {
      bind_value(*state, i, arguments[i]);
    }
  }
  check_restrict(*state);
  return state;
}

std::size_t index_of(const ShaderInfo& kernel, std::string_view name) {
  const auto found = std::ranges::find(kernel.arguments, name, &ShaderInfo::Argument::name);
  if (found == kernel.arguments.end())
    throw UsageError(fmt::format("{} has no argument '{}'", signature(kernel), name));
  return static_cast<std::size_t>(found - kernel.arguments.begin());
}

}  // namespace

ShaderState::ShaderState(std::shared_ptr<DeviceState> device, WeftKernel* handle,
                         std::shared_ptr<backend::KernelDescription> description)
    : device(std::move(device)),
      handle(handle),
      description(std::move(description)),
      kernel(*this->device->backend.kernel_info(handle)),
      info(backend::to_shader_info(kernel)) {}

ShaderState::~ShaderState() { device->backend.destroy_kernel(device->handle, handle); }

const ShaderInfo& ShaderBase::info() const {
  if (state_ == nullptr)
    throw UsageError("the info of a shader is asked for that was never compiled, or was moved from");
  return state_->info;
}

}  // namespace detail

Invocation::Invocation(const std::shared_ptr<detail::ShaderState>& shader,
                       std::span<const detail::ArgumentRef> arguments, detail::Typing typing)
    : state_(detail::bind(shader, arguments, typing)) {}
Invocation::Invocation(Invocation&& other) noexcept = default;
Invocation& Invocation::operator=(Invocation&& other) noexcept = default;
Invocation::~Invocation() = default;

Invocation Invocation::cooperative(const CooperativeOptions& options) && {
  if (state_ == nullptr) throw UsageError("an invocation is made cooperative that was dispatched before");
  WeftDispatch& dispatch = state_->command.dispatch;
  dispatch.is_cooperative = 1;
  dispatch.host_wakes = options.host_wakes ? 1 : 0;
  dispatch.memory_limit_bytes = options.memory_limit_bytes;
  return std::move(*this);
}

DispatchCommand Invocation::dispatch(std::uint64_t x, std::uint64_t y, std::uint64_t z) && {
  return sized({x, y, z}, false);
}

DispatchCommand Invocation::dispatch_blocks(std::uint64_t x, std::uint64_t y, std::uint64_t z) && {
  return sized({x, y, z}, true);
}

DispatchCommand Invocation::dispatch_indirect(const BufferView<uint3>& size, std::array<std::uint64_t, 3> limit) && {
  return sized_by(size.range(), limit, false);
}

DispatchCommand Invocation::dispatch_blocks_indirect(const BufferView<uint3>& size,
                                                     std::array<std::uint64_t, 3> limit) && {
  return sized_by(size.range(), limit, true);
}

DispatchCommand Invocation::sized_by(const detail::BufferRange& size, std::array<std::uint64_t, 3> limit,
                                     bool in_blocks) {
  if (state_ == nullptr) throw UsageError("an invocation is dispatched that was dispatched before");
  const std::string user = "the size of a " + state_->what;
  detail::UsedRange used = detail::use(size, user);
  detail::check_same_device(*used.memory->device, user, *state_->device, "the shader");
  if (used.range.size_bytes < sizeof(uint3)) throw UsageError(user + " is in a view of no elements, expected one");
  used.range.size_bytes = sizeof(uint3);
  state_->command.dispatch.size_source = used.range;
  state_->memories.push_back(std::move(used.memory));
  return sized(limit, in_blocks);
}

DispatchCommand Invocation::sized(std::array<std::uint64_t, 3> size, bool in_blocks) {
  if (state_ == nullptr) throw UsageError("an invocation is dispatched that was dispatched before");
  if (state_->shader->info.is_cooperative && state_->command.dispatch.is_cooperative == 0) {
    throw UsageError(fmt::format(
        "{}: its blocks wait for each other (grid_sync, wait_until), which needs all of them to live at once; dispatch "
        "it by shader(...).cooperative().dispatch(...)",
        state_->what));
  }
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint64_t extent : size) {
    if (extent <= kMax) continue;
    throw UsageError(fmt::format("{} over ({}, {}, {}) {}: each dimension must be below 2^32", state_->what, size[0],
                                 size[1], size[2], in_blocks ? "blocks" : "lanes"));
  }
  state_->command.kind = WEFT_COMMAND_DISPATCH;
  WeftDispatch& dispatch = state_->command.dispatch;
  const bool is_empty = size[0] == 0 || size[1] == 0 || size[2] == 0;
  state_->does_nothing = is_empty && dispatch.size_source.buffer == nullptr;
  dispatch.kernel = state_->shader->handle;
  dispatch.arguments = state_->arguments.data();
  dispatch.in_blocks = in_blocks ? 1 : 0;
  for (std::size_t i = 0; i < 3; ++i) dispatch.size[i] = static_cast<std::uint32_t>(size[i]);
  return DispatchCommand(std::move(state_));
}

Invocation DynamicShader::bind(std::span<const NamedArgument> arguments) const {
  const ShaderInfo& kernel = info();
  std::vector<detail::ArgumentRef> ordered(kernel.arguments.size());
  std::vector<bool> given(kernel.arguments.size(), false);
  for (const NamedArgument& argument : arguments) {
    const std::size_t index = detail::index_of(kernel, argument.name);
    if (given[index]) {
      throw UsageError(fmt::format("argument '{}' of kernel '{}' is given twice", argument.name, kernel.name));
    }
    given[index] = true;
    ordered[index] = argument.argument;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i]) continue;
    throw UsageError(
        fmt::format("{} is called without argument '{}'", detail::signature(kernel), kernel.arguments[i].name));
  }
  return Invocation(state_, ordered, detail::Typing::at_call);
}

}  // namespace weft
