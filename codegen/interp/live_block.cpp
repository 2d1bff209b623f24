#include "codegen/interp/live_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codegen/interp/block.h"

namespace weft::interp {

namespace {

#if defined(NDEBUG) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
constexpr std::uint64_t kLevelBytes = 1024;
#else
constexpr std::uint64_t kLevelBytes = 4096;
#endif
constexpr std::uint64_t kLeastStackBytes = 64 << 10;

// Regions within regions, those of called functions among them: how deep the interpreter calls itself.
class Depth {
 public:
  explicit Depth(const ir::Module& module) : module_(module), known_(module.functions.size()) {}

  std::uint64_t of(const ir::Function& function) { return of(function, function.body()); }

 private:
  std::uint64_t of(const ir::Function& f, ir::RegionId region) {
    std::uint64_t deepest = 0;
    for (const ir::OpId id : f.region(region).ops) {
      const ir::Op& op = f.op(id);
      if (op.code == ir::OpCode::call) {
        deepest = std::max(deepest, of_callee(op.imm));
      }
      for (const ir::RegionId inner : f.regions(op)) {
        deepest = std::max(deepest, of(f, inner));
      }
    }
    return deepest + 1;
  }

  std::uint64_t of_callee(std::uint64_t callee) {
    if (known_[callee] == 0) {
      known_[callee] = of(module_.functions[callee]);
    }
    return known_[callee];
  }

  const ir::Module& module_;
  std::vector<std::uint64_t> known_;
};

std::uint64_t extended(const std::byte* counter, ir::TypeKind kind) {
  if (counter == nullptr) {
    return 0;
  }
  switch (kind) {
    case ir::TypeKind::u32: return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(counter), __ATOMIC_ACQUIRE);
    case ir::TypeKind::i32:
      return static_cast<std::uint64_t>(
          __atomic_load_n(reinterpret_cast<const std::int32_t*>(counter), __ATOMIC_ACQUIRE));
    default: return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(counter), __ATOMIC_ACQUIRE);
  }
}

}  // namespace

bool BlockWait::is_over() const {
  const std::uint64_t now = extended(counter, kind);
  const bool is_signed = ir::scalar_category(kind) == ir::ScalarCategory::signed_integer;
  return is_signed ? static_cast<std::int64_t>(now) >= static_cast<std::int64_t>(value) : now >= value;
}

LiveBlock::LiveBlock(const Machine& machine, const Dispatch& dispatch, const Size3& block_id,
                     std::span<std::byte> stack)
    : id_(block_id),
      block_(std::make_unique<Block>(*machine.plan_)),
      fiber_(stack, [this, &dispatch] { block_->run(dispatch, id_, outcome_, this); }) {}

LiveBlock::~LiveBlock() {
  outcome_.cancelled = true;
  while (!has_ended()) {
    fiber_.resume();
  }
}

void LiveBlock::resume() { fiber_.resume(); }

void LiveBlock::suspend(const BlockWait& wait) {
  wait_ = wait;
  fiber_.suspend();
}

std::uint64_t Machine::stack_bytes() const {
  const std::uint64_t bytes = kLeastStackBytes + Depth(plan_->module).of(plan_->kernel) * kLevelBytes;
  constexpr std::uint64_t kPage = 4096;
  return (bytes + kPage - 1) / kPage * kPage;
}

std::uint64_t Machine::block_bytes() const {
  const std::uint64_t lanes = plan_->kernel.attributes.lane_count();
  std::uint64_t bytes = 2 * plan_->shared_bytes;
  for (const FunctionPlan& function : plan_->functions) {
    bytes += lanes * (function.words * sizeof(std::uint64_t) + 2 * function.local_bytes);
  }
  return bytes;
}

namespace {

// All blocks of a dispatch, run in turn.
class LiveGrid {
 public:
  LiveBlock& add(std::unique_ptr<LiveBlock> block) { return *blocks_.emplace_back(std::move(block)); }

  // Runs every block that may go on, once. Says whether there was one.
  bool run_round(Outcome& outcome) {
    const bool barrier_is_over =
        std::ranges::all_of(blocks_, [](const auto& b) { return b->has_ended() || b->wait().at_grid_barrier; });
    bool has_run = false;
    for (const std::unique_ptr<LiveBlock>& block : blocks_) {
      if (outcome.stopped() || block->has_ended()) {
        continue;
      }
      const bool may_go_on = block->wait().at_grid_barrier ? barrier_is_over : block->wait().is_over();
      if (may_go_on) {
        run(*block, outcome);
        has_run = true;
      }
    }
    return has_run;
  }

  void run(LiveBlock& block, Outcome& outcome) {
    block.resume();
    Outcome& own = block.outcome();
    if (!outcome.fault && own.fault) {
      outcome.fault = own.fault;
    }
    outcome.cancelled |= own.cancelled;
    if (outcome.uninitialised_reads == 0) {
      outcome.first_uninitialised_read = own.first_uninitialised_read;
    }
    outcome.uninitialised_reads += std::exchange(own.uninitialised_reads, 0);
  }

  [[nodiscard]] bool has_ended() const {
    return std::ranges::all_of(blocks_, [](const auto& b) { return b->has_ended(); });
  }

  [[nodiscard]] Fault endless_wait() const {
    const auto first = std::ranges::find_if(blocks_, [](const auto& b) { return !b->has_ended(); });
    const auto left = std::ranges::count_if(blocks_, [](const auto& b) { return !b->has_ended(); });
    const BlockWait& wait = (*first)->wait();
    return {FaultKind::wait,
            fmt::format("{} of {} blocks are left, and nothing can wake them", left, blocks_.size()),
            wait.location,
            (*first)->id(),
            {}};
  }

 private:
  std::vector<std::unique_ptr<LiveBlock>> blocks_;
};

}  // namespace

Outcome Machine::run_live(const Dispatch& dispatch) {
  Outcome outcome;
  const std::uint64_t stack = stack_bytes();
  const Size3 size = grid(dispatch.size);
  const std::uint64_t count = std::uint64_t{size[0]} * size[1] * size[2];
  const std::unique_ptr<std::byte[]> stacks(new std::byte[stack * count]);
  LiveGrid blocks;
  for (std::uint64_t i = 0; i < count && !outcome.stopped(); ++i) {
    const Size3 id{static_cast<std::uint32_t>(i % size[0]), static_cast<std::uint32_t>(i / size[0] % size[1]),
                   static_cast<std::uint32_t>(i / size[0] / size[1])};
    blocks.run(blocks.add(std::make_unique<LiveBlock>(*this, dispatch, id, std::span(&stacks[i * stack], stack))),
               outcome);
  }
  while (!outcome.stopped() && !blocks.has_ended()) {
    if (!blocks.run_round(outcome)) {
      outcome.fault = blocks.endless_wait();
    }
  }
  return outcome;
}

}  // namespace weft::interp
