// A block of a kernel that waits for other blocks: it stops where it waits, and goes on later.
#pragma once

#include <memory>
#include <span>

#include "codegen/interp/fiber.h"
#include "codegen/interp/machine.h"

namespace weft::interp {

class LiveBlock : private Suspender {
 public:
  // `stack` has stack_bytes() of the machine. All outlive the block.
  LiveBlock(const Machine& machine, const Dispatch& dispatch, const Size3& block_id, std::span<std::byte> stack);
  // Ends the block, if it has not ended.
  ~LiveBlock() override;

  // Runs it until it ends or has to wait; it does nothing more once the outcome says that the dispatch has stopped.
  void resume();
  [[nodiscard]] bool has_ended() const { return fiber_.has_ended(); }
  // What it waits for.
  [[nodiscard]] const BlockWait& wait() const { return wait_; }
  [[nodiscard]] const Size3& id() const { return id_; }
  // Of this block alone.
  [[nodiscard]] Outcome& outcome() { return outcome_; }

 private:
  void suspend(const BlockWait& wait) override;

  const Size3 id_;
  std::unique_ptr<Block> block_;
  Outcome outcome_;
  BlockWait wait_;
  Fiber fiber_;
};

}  // namespace weft::interp
