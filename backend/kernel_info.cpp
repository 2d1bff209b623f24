#include "backend/kernel_info.h"

#include "codegen/passes/call_graph.h"
#include "codegen/passes/root.h"
#include "runtime/support/check.h"

namespace weft::backend {
namespace {

WeftArgumentKind kind_of(const ir::Type& type) {
  if (type.kind == ir::TypeKind::buffer) return WEFT_ARGUMENT_BUFFER;
  if (type.kind == ir::TypeKind::byte_buffer) return WEFT_ARGUMENT_BYTE_BUFFER;
  return WEFT_ARGUMENT_VALUE;
}

std::uint32_t access_bits(bool is_read, bool is_written) {
  return (is_read ? WEFT_ACCESS_READ : 0U) | (is_written ? WEFT_ACCESS_WRITE : 0U);
}

std::uint64_t element_bytes(const ir::Type& type) {
  switch (kind_of(type)) {
    case WEFT_ARGUMENT_BUFFER: return type.stride_bytes;
    case WEFT_ARGUMENT_BYTE_BUFFER: return 1;
    case WEFT_ARGUMENT_VALUE: return 0;
  }
  return 0;
}

// The element type in `buffer<T>` or `buffer<T, stride 16>`.
std::string element_text(std::string_view buffer) {
  constexpr std::string_view kPrefix = "buffer<";
  std::string_view text = buffer.substr(kPrefix.size());
  text.remove_suffix(1);
  const std::size_t stride = text.rfind(", stride ");
  const bool is_own = stride != std::string_view::npos && text.find('>', stride) == std::string_view::npos;
  return std::string(text.substr(0, is_own ? stride : text.size()));
}

ShaderInfo::Argument to_shader_info(const WeftArgumentInfo& argument) {
  switch (static_cast<WeftArgumentKind>(argument.kind)) {
    case WEFT_ARGUMENT_BUFFER:
      return {argument.name, argument.type, true, element_text(argument.type), argument.element_bytes};
    case WEFT_ARGUMENT_BYTE_BUFFER: return {argument.name, argument.type, true, "byte", 1};
    case WEFT_ARGUMENT_VALUE: break;
  }
  return {argument.name, argument.type, false, argument.type, argument.size_bytes};
}

}  // namespace

KernelDescription::KernelDescription(const ir::Module& module, const ir::Function& kernel) {
  info_.name = keep(kernel.name);
  for (std::size_t i = 0; i < 3; ++i) info_.block_size[i] = kernel.attributes.block_size[i];
  info_.warp_size = kernel.attributes.warp_size;
  info_.is_cooperative = passes::waits_between_blocks(module, kernel) ? 1 : 0;
  const std::vector<passes::BufferUse> uses = passes::buffer_uses(module, kernel);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ir::Parameter& parameter = kernel.parameters[i];
    const ir::TypeId type = kernel.type(parameter.value);
    WeftArgumentInfo& argument = arguments_.emplace_back();
    argument.name = keep(std::string(module.string(kernel.value(parameter.value).name)));
    argument.type = keep(module.types.text(type));
    argument.kind = kind_of(module.types[type]);
    argument.is_restrict = parameter.is_restrict ? 1 : 0;
    argument.access = access_bits(uses[i].read, uses[i].written);
    argument.size_bytes = argument.kind == WEFT_ARGUMENT_VALUE ? module.types[type].size_bytes : 0;
    argument.element_bytes = element_bytes(module.types[type]);
  }
  finish();
}

KernelDescription::KernelDescription(const abi::KernelInfo& info) {
  info_.name = keep(info.name);
  for (std::size_t i = 0; i < 3; ++i) info_.block_size[i] = info.block_size[i];
  info_.pack_width = info.pack_width;
  info_.warp_size = info.warp_size;
  info_.is_cooperative = (info.flags & abi::kKernelCooperative) != 0 ? 1 : 0;
  for (std::uint32_t i = 0; i < info.argument_count; ++i) {
    const abi::ArgumentInfo& from = info.arguments[i];
    WeftArgumentInfo& argument = arguments_.emplace_back();
    argument.name = keep(from.name);
    argument.type = keep(from.type);
    argument.kind = static_cast<std::uint32_t>(from.kind);
    argument.is_restrict = (from.flags & abi::kArgumentRestrict) != 0 ? 1 : 0;
    argument.access = access_bits((from.flags & abi::kArgumentRead) != 0, (from.flags & abi::kArgumentWritten) != 0);
    argument.size_bytes = from.kind == abi::ArgumentKind::value ? from.size_bytes : 0;
    argument.element_bytes = from.element_bytes;
  }
  finish();
}

void KernelDescription::finish() {
  info_.argument_count = static_cast<std::uint32_t>(arguments_.size());
  info_.arguments = arguments_.data();
}

ShaderInfo to_shader_info(const WeftKernelInfo& info) {
  ShaderInfo out;
  out.name = info.name;
  out.block_size = {info.block_size[0], info.block_size[1], info.block_size[2]};
  out.pack_width = info.pack_width;
  out.warp_size = info.warp_size;
  out.is_cooperative = info.is_cooperative != 0;
  for (std::uint32_t i = 0; i < info.argument_count; ++i) {
    out.arguments.push_back(to_shader_info(info.arguments[i]));
  }
  return out;
}

}  // namespace weft::backend
