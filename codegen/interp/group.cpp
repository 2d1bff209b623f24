// Handlers of the family group: ids and sizes, and the barrier.
#include <fmt/format.h>

#include "codegen/interp/handlers.h"
#include "codegen/interp/memory.h"

namespace weft::interp::handlers {

using namespace ir;

namespace {

void set_all(const Context& c, std::uint64_t value) {
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = value;
  }
}

std::string place(const Context& c, const Op& op) {
  if (op.location.line == 0) {
    return fmt::format("its {}", info(op.code).text);
  }
  return fmt::format("the {} at {}:{}:{}", info(op.code).text, c.block.module().string(op.location.file),
                     op.location.line, op.location.column);
}

}  // namespace

void thread_id(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = c.block.thread_id(lane)[c.op.imm];
  }
}

void block_id(const Context& c) { set_all(c, c.block.id()[c.op.imm]); }

void dispatch_id(const Context& c) {
  const std::uint32_t first = c.block.id()[c.op.imm] * c.block.attributes().block_size[c.op.imm];
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = first + c.block.thread_id(lane)[c.op.imm];
  }
}

void block_size(const Context& c) { set_all(c, c.block.attributes().block_size[c.op.imm]); }

void grid_size(const Context& c) {
  const std::uint64_t lanes = c.block.dispatch().size[c.op.imm];
  const std::uint64_t block = c.block.attributes().block_size[c.op.imm];
  set_all(c, (lanes + block - 1) / block);
}

void dispatch_size(const Context& c) { set_all(c, c.block.dispatch().size[c.op.imm]); }
void kernel_id(const Context& c) { set_all(c, c.block.dispatch().kernel_id); }

// All lanes that have not returned are here, or it is a fault; then there is nothing to wait for, as each op before is
// done in every lane.
void barrier(const Context& c) {
  if (c.block.are_all_live(c.lanes)) {
    return;
  }
  const auto [absent, scope] = c.block.absent_from(c.lanes);
  const auto& [x, y, z] = c.block.thread_id(absent);
  c.block.fault(FaultKind::barrier, c.op, c.lanes.front(),
                fmt::format("{} that not every lane of the block reaches: lane ({}, {}, {}) took another way in {}",
                            info(c.op.code).text, x, y, z, place(c, *scope)));
}

void grid_sync(const Context& c) {
  barrier(c);
  if (!c.block.stopped()) {
    c.block.suspend({.location = c.op.location, .at_grid_barrier = true});
  }
}

// One lane after the other, as counters only rise: the block goes on when none of its lanes waits.
void wait_until(const Context& c) {
  const Leaf& leaf = c.block.plan().leaves[pointee(c).index][0];
  for (const std::uint32_t lane : c.lanes) {
    const Access access(c, c.operand(0), lane);
    const std::uint64_t value = index_of(leaf.scalar, c.operand(1).at(lane));
    const BlockWait wait{c.op.location, false, access.data(), value, leaf.scalar, lane};
    while (!wait.is_over() && !c.block.stopped()) {
      c.block.suspend(wait);
    }
  }
}

}  // namespace weft::interp::handlers
