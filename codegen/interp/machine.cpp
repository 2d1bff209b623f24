#include "codegen/interp/machine.h"

#include <fmt/format.h>

#include "codegen/interp/block.h"
#include "codegen/interp/live_block.h"
#include "codegen/passes/call_graph.h"
#include "runtime/support/diagnostic.h"

namespace weft::interp {

namespace {

template <class Run>
void for_each_block(const Size3& grid, Run run) {
  for (std::uint32_t z = 0; z < grid[2]; ++z) {
    for (std::uint32_t y = 0; y < grid[1]; ++y) {
      for (std::uint32_t x = 0; x < grid[0]; ++x) {
        run(Size3{x, y, z});
      }
    }
  }
}

}  // namespace

Machine::Machine(const ir::Module& module, const ir::Function& kernel, Options options)
    : plan_(std::make_unique<const Plan>(module, kernel, std::move(options))),
      block_(std::make_unique<Block>(*plan_)) {}

Machine::~Machine() = default;

Size3 Machine::grid(const Size3& dispatch_size) const {
  Size3 blocks{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t size = plan_->kernel.attributes.block_size[d];
    blocks[d] = static_cast<std::uint32_t>((dispatch_size[d] + size - 1) / size);
  }
  return blocks;
}

void Machine::run_block(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome) {
  const std::uint32_t* cancel = plan_->options.cancel;
  outcome.cancelled |= cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
  if (!outcome.stopped()) {
    block_->run(dispatch, block_id, outcome);
  }
}

Outcome Machine::run(const Dispatch& dispatch) {
  if (is_cooperative()) {
    return run_live(dispatch);
  }
  Outcome outcome;
  for_each_block(grid(dispatch.size), [&](const Size3& block) {
    if (!outcome.stopped()) {
      run_block(dispatch, block, outcome);
    }
  });
  return outcome;
}

bool Machine::is_cooperative() const { return passes::waits_between_blocks(plan_->module, plan_->kernel); }

std::string to_string(const ir::Module& module, const Fault& fault) {
  const auto& [bx, by, bz] = fault.block;
  const auto& [x, y, z] = fault.lane;
  const std::string place = to_string(
      SourceLocation{std::string(module.string(fault.location.file)), fault.location.line, fault.location.column, 0});
  return fmt::format("{}{}{}, block ({}, {}, {}), lane ({}, {}, {})", place, place.empty() ? "" : ": ", fault.message,
                     bx, by, bz, x, y, z);
}

}  // namespace weft::interp
