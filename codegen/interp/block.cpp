#include "codegen/interp/block.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codegen/interp/handlers.h"
#include "runtime/support/check.h"

namespace weft::interp {

using namespace ir;

namespace {

// By OpCode; null for ops that `prepare` expands.
constexpr std::array kHandlers{
#define WEFT_HANDLER_core(name) Handler{handlers::name}
#define WEFT_HANDLER_device(name) Handler{handlers::name}
#define WEFT_HANDLER_expand(name) Handler{nullptr}
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) WEFT_HANDLER_##kind(name),
#include "codegen/ir/ops.def"
#undef WEFT_HANDLER_core
#undef WEFT_HANDLER_device
#undef WEFT_HANDLER_expand
};

}  // namespace

Block::Block(const Plan& plan)
    : plan_(plan),
      lane_count_(static_cast<std::uint32_t>(plan.kernel.attributes.lane_count())),
      states_(lane_count_),
      shared_(plan.shared_bytes),
      shared_shadow_(plan.shared_bytes) {
  frames_.reserve(plan.functions.size());
  for (std::size_t i = 0; i < plan.functions.size(); ++i) {
    const Function& function = plan.module.function(FunctionId(i));
    frames_.emplace_back(function, plan.functions[i], lane_count_, word_count(types(), function.result_type));
  }
}

void Block::run(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome, Suspender* suspender) {
  suspender_ = suspender;
  start(dispatch, block_id, outcome);
  LaneList lanes = pool_.take();
  for (std::uint32_t lane = 0; lane < lane_count_; ++lane) {
    const Size3 thread = thread_id(lane);
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint64_t place = std::uint64_t{block_id[d]} * attributes().block_size[d] + thread[d];
      inside &= place < dispatch.size[d];
    }
    if (inside) {
      lanes.add(lane);
      states_[lane] = LaneState::running;
    }
  }
  live_ = lanes.lanes().size();
  const auto kernel = std::ranges::find_if(frames_, [&](const Frame& f) { return is_kernel(f); });
  WEFT_CHECK(kernel != frames_.end(), "kernel @{} is not of the module", plan_.kernel.name);
  run_region(*kernel, plan_.kernel.body(), lanes.lanes());
}

void Block::start(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome) {
  dispatch_ = &dispatch;
  id_ = block_id;
  outcome_ = &outcome;
  scopes_.clear();
  std::ranges::fill(states_, LaneState::exited);
  std::ranges::fill(shared_, plan_.options.poison);
  std::ranges::fill(shared_shadow_, std::byte{0});
  read_arguments();
}

void Block::suspend(const BlockWait& wait) {
  WEFT_CHECK(suspender_ != nullptr, "kernel @{} waits for other blocks", plan_.kernel.name);
  suspender_->suspend(wait);
}

void Block::read_arguments() {
  WEFT_CHECK_GE(dispatch_->arguments.size(), plan_.arguments.size_bytes);
  const Frame& frame = *std::ranges::find_if(frames_, [&](const Frame& f) { return is_kernel(f); });
  for (std::size_t i = 0; i < plan_.kernel.parameters.size(); ++i) {
    const ValueId parameter = plan_.kernel.parameters[i].value;
    const TypeId type = plan_.kernel.type(parameter);
    const std::byte* slot = dispatch_->arguments.data() + plan_.arguments.slots[i].offset_bytes;
    std::vector<std::uint64_t> words(word_count(types(), type));
    const std::vector<Leaf>& places = plan_.leaves[type.index];
    if (places.empty()) {
      std::memcpy(words.data(), slot, kBufferArgumentBytes);
    }
    for (std::size_t w = 0; w < places.size(); ++w) {
      words[w] = read_scalar(slot + places[w].offset_bytes, places[w]);
    }
    for (std::uint32_t w = 0; w < words.size(); ++w) {
      std::fill_n(&frame.words(parameter).at(0, w), lane_count_, words[w]);
    }
  }
}

Size3 Block::thread_id(std::uint32_t lane) const {
  const auto& size = attributes().block_size;
  return {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1]};
}

void Block::run_region(Frame& frame, RegionId region, Lanes entered) {
  LaneList live = pool_.take();
  live.assign(entered);
  for (const OpId id : frame.function().region(region).ops) {
    if (live.empty() || stopped()) {
      return;
    }
    const Op& op = frame.function().op(id);
    const Handler handler = kHandlers[static_cast<std::size_t>(op.code)];
    WEFT_CHECK(handler != nullptr, "op {} was not expanded", info(op.code).text);
    handler({*this, frame, op, live.lanes()});
    if (op.region_count != 0) {
      keep_running(live);
    }
  }
}

Block::Absent Block::absent_from(Lanes lanes) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    for (const std::uint32_t lane : scope->lanes) {
      if (states_[lane] != LaneState::exited && !std::ranges::binary_search(lanes, lane)) {
        return {lane, scope->op};
      }
    }
  }
  WEFT_UNREACHABLE("lanes parted in no op");
}

void Block::fault(FaultKind kind, const Op& op, std::uint32_t lane, std::string message) {
  if (!outcome_->fault) {
    outcome_->fault = Fault{kind, std::move(message), op.location, id_, thread_id(lane)};
  }
}

void Block::count_uninitialised(const Op& op, std::uint32_t lane) {
  if (outcome_->uninitialised_reads++ == 0) {
    outcome_->first_uninitialised_read = op.location;
  }
  if (plan_.options.report_uninitialised) {
    fault(FaultKind::uninitialised, op, lane, "read of memory that was not written");
  }
}

bool Block::check_cancelled() {
  for (const std::uint32_t* cancel : {plan_.options.cancel, dispatch_->cancel}) {
    outcome_->cancelled |= cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
  }
  return stopped();
}

}  // namespace weft::interp
