#include "codegen/jit/choose.h"

#include <algorithm>
#include <array>

#include "codegen/passes/root.h"

namespace weft::jit {

namespace {

constexpr std::array<std::uint32_t, 5> kWidths{1, 4, 8, 16, 32};

// Beyond these a kernel's compile time counts more than its speed. The code generator takes time by the square of the
// longest run, a list of ops without control flow, and the optimiser by the square of the number of loops.
struct Size {
  std::size_t ops;
  std::size_t longest_run;
  std::size_t loops;
  [[nodiscard]] bool fits(const Size& limit) const {
    return ops <= limit.ops && longest_run <= limit.longest_run && loops <= limit.loops;
  }
};
constexpr Size kMaxForFullEffort{9'000, 3'000, 300};
constexpr Size kMaxForReducedEffort{60'000, 20'000, 30'000};
constexpr std::size_t kMaxOpsForWidePacks = 200'000;

bool uses_warps(const ir::Function& kernel) {
  for (std::size_t i = 0; i < kernel.op_count(); ++i) {
    if (ir::info(kernel.op(ir::OpId(i)).code).family == ir::OpFamily::warp) {
      return true;
    }
  }
  return false;
}

// Whether an op declares, reads or writes a local. A fence or clock has no operand to lead anywhere.
bool is_local(const ir::Function& f, const ir::Op& op) {
  return op.code == ir::OpCode::local ||
         (op.operand_count > 0 && passes::root_of(f, f.operand(op, 0)).kind == passes::RootKind::local);
}

// What a loop without loops in it does, counted in ops.
struct LoopWork {
  std::size_t floats = 0;  // arithmetic
  bool waits = false;      // for memory, calls or others
};

void add_work(const ir::Module& module, const ir::Function& f, std::span<const ir::RegionId> regions, LoopWork& work) {
  for (const ir::RegionId region : regions) {
    for (const ir::OpId id : f.region(region).ops) {
      const ir::Op& op = f.op(id);
      const ir::OpInfo& info = ir::info(op.code);
      const auto is_float = [&] {
        const ir::TypeKind kind = module.types[module.types.scalar_of(op.type)].kind;
        return ir::scalar_category(kind) == ir::ScalarCategory::floating;
      };
      const bool memory =
          info.effect == ir::Effect::reads || info.effect == ir::Effect::writes || info.effect == ir::Effect::updates;
      work.floats += info.family == ir::OpFamily::arith && is_float() ? 1 : 0;
      work.waits |= op.code == ir::OpCode::loop || info.kind == ir::OpKind::device;
      work.waits |= memory && !is_local(f, op);
      add_work(module, f, f.regions(op), work);
    }
  }
}

// Whether most of the time goes into a loop of a short chain of float arithmetic, each op waiting for the one before
// it: two packs side by side then take little longer than one. Twice the lanes are two such packs.
bool is_latency_bound(const ir::Module& module, const ir::Function& kernel) {
  constexpr std::size_t kMaxOps = 400;
  constexpr std::size_t kMinFloats = 3;
  constexpr std::size_t kMaxFloats = 24;  // more fill the registers
  if (kernel.op_count() > kMaxOps) {
    return false;
  }
  bool found = false;
  for (std::size_t i = 0; i < kernel.op_count(); ++i) {
    const ir::Op& op = kernel.op(ir::OpId(i));
    if (op.code == ir::OpCode::barrier) {
      return false;
    }
    if (op.code == ir::OpCode::loop) {
      LoopWork work;
      add_work(module, kernel, kernel.regions(op), work);
      found |= !work.waits && work.floats >= kMinFloats && work.floats <= kMaxFloats;
    }
  }
  return found;
}

// Whether a kernel of blocks that are 8 lanes wide does little but access memory: sixteen lanes are two rows, and each
// access is two, with addresses and range checks that are vectors.
bool is_row_bound(const ir::Function& kernel) {
  constexpr std::size_t kMaxOpsOfAccess = 8;
  if (kernel.attributes.block_size[0] != 8) {
    return false;
  }
  std::size_t accesses = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < kernel.op_count(); ++i) {
    const ir::Op& op = kernel.op(ir::OpId(i));
    if (is_local(kernel, op)) {
      continue;
    }
    const ir::Effect effect = ir::info(op.code).effect;
    ++(effect == ir::Effect::reads || effect == ir::Effect::writes ? accesses : others);
  }
  return accesses * kMaxOpsOfAccess >= others;
}

// Sixteen lanes: one register of AVX-512, two of AVX2; twice as many where one register's worth would wait for itself;
// not wider than a block needs, and one row where little but rows is read and written.
void choose_natural_width(const ir::Module& module, const ir::Function& kernel, const Target& target, Choice& choice) {
  const std::uint64_t lanes = kernel.attributes.lane_count();
  const bool waits = target.vector_bits >= 512 && is_latency_bound(module, kernel);
  choice.width = waits ? 32 : 16;
  choice.width_reason = waits ? "two registers of f32, as a loop's arithmetic would wait for itself in one"
                        : target.vector_bits >= 512 ? "one register of f32"
                                                    : "two registers of f32";
  while (choice.width > 4 && lanes <= choice.width / 2) {
    choice.width /= 2;
    choice.width_reason = "no wider than the block needs";
  }
  if (choice.width > 8 && is_row_bound(kernel)) {
    choice.width = 8;
    choice.width_reason = "one row of the block, as the kernel does little but read and write";
  }
  if (lanes == 1) {
    choice.width = 1;
    choice.width_reason = "the block is one lane";
  }
}

Size size_of(const ir::Function& kernel) {
  Size size{kernel.op_count(), 0, 0};
  for (std::size_t i = 0; i < kernel.region_count(); ++i) {
    std::size_t run = 0;
    for (const ir::OpId id : kernel.region(ir::RegionId(i)).ops) {
      const ir::Op& op = kernel.op(id);
      run = op.region_count > 0 ? 0 : run + 1;
      size.longest_run = std::max(size.longest_run, run);
      size.loops += op.code == ir::OpCode::loop ? 1 : 0;
    }
  }
  return size;
}

Effort effort_for(const Size& size) {
  if (size.fits(kMaxForFullEffort)) {
    return Effort::full;
  }
  return size.fits(kMaxForReducedEffort) ? Effort::reduced : Effort::minimal;
}

}  // namespace

Result<Choice> choose(const ir::Module& module, const ir::Function& kernel, const Target& target,
                      const CompileOptions& options) {
  DiagnosticList problems;
  if (options.width != 0 && std::ranges::find(kWidths, options.width) == kWidths.end()) {
    problems.error({}, fmt::format("pack width {} is none of 1, 4, 8, 16, 32", options.width));
    return problems;
  }
  Choice choice{options.width, options.effort, "as asked"};
  if (uses_warps(kernel)) {
    const std::uint32_t warp = kernel.attributes.warp_size;
    if (options.width != 0 && options.width != warp) {
      problems.error(
          {}, fmt::format("kernel '{}' uses warp operations and is compiled {} lanes wide, its warp size, not {}",
                          kernel.name, warp, options.width));
      return problems;
    }
    choice.width = warp;
    choice.width_reason = "the warp size, as the kernel uses warp operations";
  }
  if (choice.effort == Effort::automatic) {
    choice.effort = effort_for(size_of(kernel));
  }
  if (choice.width == 0) {
    choice.width = options.preferred_width;
  }
  if (choice.width == 0 && kernel.op_count() > kMaxOpsForWidePacks) {
    choice.width = 1;
    choice.width_reason = fmt::format("the kernel has more than {} ops", kMaxOpsForWidePacks);
  } else if (choice.width == 0) {
    choose_natural_width(module, kernel, target, choice);
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
