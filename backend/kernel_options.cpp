#include "backend/kernel_options.h"

#include <algorithm>
#include <span>

namespace weft::backend {
namespace {

std::span<const WeftSpecValue> specs(const WeftKernelOptions& options) { return {options.specs, options.spec_count}; }

// The type of a constant; of one that is not there any, as its value is refused anyway.
ir::TypeId type_of_spec(const ir::Module& module, std::uint32_t id) {
  const auto spec = std::ranges::find(module.specs, id, &ir::SpecConstant::id);
  return spec == module.specs.end() ? ir::kU32 : module.constant(spec->initial).type;
}

}  // namespace

std::optional<ir::MathMode> math_mode(const WeftKernelOptions& options) {
  switch (static_cast<WeftMath>(options.math)) {
    case WEFT_MATH_AS_WRITTEN: return {};
    case WEFT_MATH_STRICT: return ir::MathMode::strict;
    case WEFT_MATH_PRECISE: return ir::MathMode::precise;
    case WEFT_MATH_FAST: return ir::MathMode::fast;
  }
  return {};
}

std::optional<bool> unchecked(const WeftKernelOptions& options) {
  if (options.checks == WEFT_CHECKS_AS_WRITTEN) return {};
  return options.checks == WEFT_CHECKS_OFF;
}

std::map<std::uint32_t, std::uint64_t> spec_bits(const WeftKernelOptions& options) {
  std::map<std::uint32_t, std::uint64_t> bits;
  for (const WeftSpecValue& spec : specs(options)) bits.emplace(spec.id, spec.bits);
  return bits;
}

passes::PrepareOptions prepare_options(const ir::Module& module, const WeftKernelOptions& options) {
  passes::PrepareOptions out;
  out.math = math_mode(options);
  out.unchecked = unchecked(options);
  for (const WeftSpecValue& spec : specs(options)) {
    out.spec_values.emplace(spec.id, ir::Constant{type_of_spec(module, spec.id), {spec.bits}});
  }
  return out;
}

}  // namespace weft::backend
