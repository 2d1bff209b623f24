// Parameters, result and attributes of functions, and returns.
#include <algorithm>

#include "codegen/ir/typing.h"
#include "codegen/ir/verify/rules.h"

namespace weft::ir {

namespace {

bool is_buffer(TypeKind kind) { return kind == TypeKind::buffer || kind == TypeKind::byte_buffer; }

void check_parameter(const Module& m, const Function& f, std::size_t index, Findings& findings) {
  const Parameter& p = f.parameters[index];
  const TypeId type = f.type(p.value);
  const TypeKind kind = m.types[type].kind;
  const bool kernel = f.kind == FunctionKind::kernel;
  if (!is_value_type(m.types, type) && !is_buffer(kind) && (kernel || kind != TypeKind::reference)) {
    findings.error(f.location, "parameter {} of {} @{} has type {}, expected a value or a buffer{}", index + 1,
                   kernel ? "kernel" : "callable", f.name, m.types.text(type), kernel ? "" : " or a reference");
  }
  if (p.is_restrict && !(kernel && is_buffer(kind))) {
    findings.error(f.location, "parameter {} of @{} is restrict, expected a buffer of a kernel", index + 1, f.name);
  }
}

void check_block_size(const Function& f, Findings& findings) {
  const KernelAttributes& a = f.attributes;
  if (a.dimensions < 1 || a.dimensions > a.block_size.size()) {
    findings.error(f.location, "block of @{} has {} dimensions, expected 1 to 3", f.name, a.dimensions);
    return;
  }
  std::uint64_t lanes = 1;
  for (const std::uint32_t size : a.block_size) {
    if (size == 0) {
      findings.error(f.location, "block of @{} is empty, expected each dimension at least 1", f.name);
      return;
    }
    lanes = std::min<std::uint64_t>(lanes, kMaxBlockLanes) * size;
  }
  if (lanes > kMaxBlockLanes) {
    findings.error(f.location, "block of @{} has more than {} lanes", f.name, kMaxBlockLanes);
  }
}

void check_kernel(const Module& m, const Function& f, Findings& findings) {
  check_block_size(f, findings);
  const std::uint32_t warp = f.attributes.warp_size;
  if (warp != 8 && warp != 16 && warp != 32) {
    findings.error(f.location, "warp size of @{} is {}, expected 8, 16 or 32", f.name, warp);
  }
  if (f.result_type != kVoid) {
    findings.error(f.location, "kernel @{} has result type {}, a kernel has no result", f.name,
                   m.types.text(f.result_type));
  }
}

bool always_returns(const Function& f, RegionId region) {
  const auto& ops = f.region(region).ops;
  if (ops.empty()) {
    return false;
  }
  const Op& last = f.op(ops.back());
  if (last.code == OpCode::return_ || last.code == OpCode::unreachable) {
    return true;
  }
  if (last.code != OpCode::if_ && last.code != OpCode::switch_) {
    return false;
  }
  const auto regions = f.regions(last);
  return std::all_of(regions.begin(), regions.end(), [&](RegionId r) { return always_returns(f, r); });
}

}  // namespace

void check_signature(const Module& module, const Function& f, Findings& findings) {
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    check_parameter(module, f, i, findings);
  }
  if (f.kind == FunctionKind::kernel) {
    check_kernel(module, f, findings);
  } else if (f.result_type != kVoid && !is_value_type(module.types, f.result_type)) {
    findings.error(f.location, "callable @{} has result type {}, expected a value type", f.name,
                   module.types.text(f.result_type));
  }
}

void check_returns(const Module& module, const Function& f, Findings& findings) {
  if (f.result_type != kVoid && !always_returns(f, f.body())) {
    findings.error(f.location, "callable @{} can end without returning its {}", f.name,
                   module.types.text(f.result_type));
  }
}

}  // namespace weft::ir
