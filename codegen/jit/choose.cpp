#include "codegen/jit/choose.h"

#include <algorithm>
#include <array>

namespace weft::jit {

namespace {

constexpr std::array<std::uint32_t, 5> kWidths{1, 4, 8, 16, 32};

// Beyond these a kernel's compile time counts more than its speed.
constexpr std::size_t kMaxOpsForFullEffort = 60000;
constexpr std::size_t kMaxOpsForWidePacks = 200000;

bool uses_warps(const ir::Function& kernel) {
  for (std::size_t i = 0; i < kernel.op_count(); ++i) {
    if (ir::info(kernel.op(ir::OpId(i)).code).family == ir::OpFamily::warp) {
      return true;
    }
  }
  return false;
}

// Sixteen lanes: one register of AVX-512, two of AVX2; not wider than a block needs.
std::uint32_t natural_width(const ir::Function& kernel) {
  const std::uint64_t lanes = kernel.attributes.lane_count();
  std::uint32_t width = 16;
  while (width > 4 && lanes <= width / 2) {
    width /= 2;
  }
  return lanes == 1 ? 1 : width;
}

}  // namespace

Result<Choice> choose(const ir::Module& module, const ir::Function& kernel, const Target&,
                      const CompileOptions& options) {
  (void)module;
  DiagnosticList problems;
  if (options.width != 0 && std::ranges::find(kWidths, options.width) == kWidths.end()) {
    problems.error({}, fmt::format("pack width {} is none of 1, 4, 8, 16, 32", options.width));
    return problems;
  }
  Choice choice{options.width, options.effort};
  if (uses_warps(kernel)) {
    const std::uint32_t warp = kernel.attributes.warp_size;
    if (options.width != 0 && options.width != warp) {
      problems.error(
          {}, fmt::format("kernel '{}' uses warp operations and is compiled {} lanes wide, its warp size, not {}",
                          kernel.name, warp, options.width));
      return problems;
    }
    choice.width = warp;
  }
  const std::size_t ops = kernel.op_count();
  if (choice.effort == Effort::automatic) {
    choice.effort = ops > kMaxOpsForFullEffort ? Effort::minimal : Effort::full;
  }
  if (choice.width == 0) {
    choice.width = ops > kMaxOpsForWidePacks ? 1 : natural_width(kernel);
  }
  return choice;
}

std::map<std::uint32_t, ir::Constant> spec_values(const ir::Module& module,
                                                  const std::map<std::uint32_t, std::uint64_t>& bits) {
  std::map<std::uint32_t, ir::Constant> values;
  for (const auto& [id, value] : bits) {
    ir::Constant constant{ir::kVoid, {value}};
    for (const ir::SpecConstant& spec : module.specs) {
      constant.type = spec.id == id ? module.constant(spec.initial).type : constant.type;
    }
    values.emplace(id, std::move(constant));
  }
  return values;
}

}  // namespace weft::jit
