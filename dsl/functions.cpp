// Recording of kernels and callables, and calls.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "codegen/ir/verify/verify.h"
#include "dsl/operands.h"
#include "runtime/support/log.h"
#include "runtime/support/stage_times.h"

namespace weft::dsl {

namespace {

std::vector<ExprId> add_parameters(FunctionRecording& f, const FunctionInfo& info, const KernelOptions* options) {
  std::vector<ExprId> ids;
  for (std::size_t i = 0; i < info.parameter_count; ++i) {
    const TypeInfo& type = *info.parameters[i].type;
    const bool buffer = type.kind == TypeClass::buffer || type.kind == TypeClass::byte_buffer;
    const bool named = options != nullptr && i < options->name_count;
    const std::string name = named ? options->names[i] : fmt::format("param_{}", i);
    ids.push_back(f.id(f.function().add_parameter(f.owner().type(type), f.module().string(name),
                                                  buffer && options != nullptr && options->no_alias)));
  }
  return ids;
}

void set_block_size(ir::KernelAttributes& attributes, const KernelOptions& options, Where where) {
  static constexpr std::uint32_t kStandard[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
  const bool given = options.block[0] != 0 || options.block[1] != 0 || options.block[2] != 0;
  const std::uint32_t* block = given ? options.block : kStandard[options.dimensions - 1];
  std::copy_n(block, 3, attributes.block_size.begin());
  attributes.dimensions = options.dimensions;
  for (std::uint32_t d = options.dimensions; d < 3; ++d) {
    if (block[d] != 1) {
      fail(where, fmt::format("block size {} x {} x {} for a kernel of {} dimension{}", block[0], block[1], block[2],
                              options.dimensions, options.dimensions == 1 ? "" : "s"));
    }
  }
  const std::uint64_t lanes = attributes.lane_count();
  if (lanes == 0 || std::max({block[0], block[1], block[2]}) > ir::kMaxBlockLanes || lanes > ir::kMaxBlockLanes) {
    fail(where, fmt::format("block size {} x {} x {}, expected 1 to {} lanes", block[0], block[1], block[2],
                            ir::kMaxBlockLanes));
  }
}

// Arguments are given by these names, and texts of the kernel hold them.
void check_names(const KernelOptions& options, const FunctionInfo& info) {
  if (options.name_count != 0 && options.name_count != info.parameter_count) {
    fail(info.where, fmt::format("{} name{} for {} parameter{}", options.name_count, options.name_count == 1 ? "" : "s",
                                 info.parameter_count, info.parameter_count == 1 ? "" : "s"));
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < options.name_count; ++i) {
    if (!seen.insert(options.names[i]).second) {
      fail(info.where, fmt::format("two parameters are named '{}'", options.names[i]));
    }
  }
}

void set_attributes(ir::KernelAttributes& attributes, const KernelOptions& options, const FunctionInfo& info) {
  set_block_size(attributes, options, info.where);
  if (options.warp_size != 8 && options.warp_size != 16 && options.warp_size != 32) {
    fail(info.where, fmt::format("warp size {}, expected 8, 16 or 32", options.warp_size));
  }
  check_names(options, info);
  attributes.warp_size = options.warp_size;
  attributes.unchecked = options.unchecked;
  const auto mode = std::ranges::find(ir::kMathModeTexts, std::string_view(options.math));
  attributes.math = static_cast<ir::MathMode>(mode - ir::kMathModeTexts.begin());
}

ir::FunctionId record_callable(FunctionRecording& caller, const void* key, const FunctionInfo& info, Body body) {
  ModuleRecording& owner = caller.owner();
  ir::Function& function =
      owner.module().add_function(ir::FunctionKind::callable, owner.unique_function_name(info.name));
  const ir::FunctionId id(owner.module().functions.size() - 1);
  if (info.result != nullptr) {
    function.result_type = owner.type(*info.result);
  }
  FunctionRecording f(owner, function, key, info.where);
  const std::vector<ExprId> parameters = add_parameters(f, info, nullptr);
  body.run(body.lambda, parameters.data(), info.where);
  owner.callables.emplace(key, id);
  return id;
}

void check_no_recursion(const FunctionRecording& caller, const void* key, const FunctionInfo& info, Where where) {
  for (const FunctionRecording* f = &caller; f != nullptr; f = f->outer()) {
    if (f->callable() == key) {
      fail(where, fmt::format("callable '{}' calls itself; there is no recursion in kernels", info.name));
    }
  }
}

std::shared_ptr<const ir::Module> record(const FunctionInfo& info, const KernelOptions& options, Body body) {
  const StageScope scope(Stage::record);
  ModuleRecording recording;
  ir::Function& function =
      recording.module().add_function(ir::FunctionKind::kernel, recording.unique_function_name(info.name));
  FunctionRecording f(recording, function, nullptr, info.where);
  set_attributes(function.attributes, options, info);
  const std::vector<ExprId> parameters = add_parameters(f, info, &options);
  body.run(body.lambda, parameters.data(), info.where);
  if (const DiagnosticList mistakes = ir::verify(recording.module()); mistakes.has_errors()) {
    fail(mistakes);
  }
  return recording.finish();
}

}  // namespace

std::shared_ptr<const ir::Module> record_kernel(const FunctionInfo& info, const KernelOptions& options, Body body) {
  StageTimes times;
  const CollectStageTimes collect(times);
  std::shared_ptr<const ir::Module> module = record(info, options, body);
  log_debug("kernel '{}': recorded in {}", info.name, times.text());
  return module;
}

ExprId call(const void* key, const FunctionInfo& info, Body body, const Operand* operands, Where where) {
  FunctionRecording& caller = FunctionRecording::current("a call of a callable", where);
  check_no_recursion(caller, key, info, where);
  std::vector<ir::ValueId> arguments;
  for (std::size_t i = 0; i < info.parameter_count; ++i) {
    arguments.push_back(evaluate(caller, operands[i]));
  }
  const auto known = caller.owner().callables.find(key);
  const ir::FunctionId id =
      known != caller.owner().callables.end() ? known->second : record_callable(caller, key, info, body);
  return caller.id(caller.emit(ir::OpCode::call, arguments, where, id.index));
}

}  // namespace weft::dsl
