// One block that is being run: the values of its lanes, its memory, and how lanes move through regions.
#pragma once

#include <string>
#include <vector>

#include "codegen/interp/lanes.h"
#include "codegen/interp/plan.h"

namespace weft::interp {

// The words of one value in all lanes: word w of lane l is base[w * word_step + l * lane_step]. Constants are there
// once.
struct Words {
  std::uint64_t* base = nullptr;
  std::size_t word_step = 0;
  std::size_t lane_step = 0;

  [[nodiscard]] std::uint64_t& at(std::uint32_t lane, std::uint32_t word = 0) const {
    return base[word * word_step + lane * lane_step];
  }
};

// The values and locals of one function. As nothing is recursive, each function has at most one activation at a time.
class Frame {
 public:
  Frame(const ir::Function& function, const FunctionPlan& plan, std::uint32_t lane_count, std::uint32_t result_words);

  [[nodiscard]] const ir::Function& function() const { return function_; }
  [[nodiscard]] Words words(ir::ValueId value) const { return values_[value.index]; }
  [[nodiscard]] Words operand(const ir::Op& op, std::size_t i) const { return words(function_.operand(op, i)); }
  [[nodiscard]] Words result(const ir::Op& op) const { return words(op.result); }
  [[nodiscard]] ir::TypeId operand_type(const ir::Op& op, std::size_t i) const {
    return function_.type(function_.operand(op, i));
  }
  // What lanes return from it.
  [[nodiscard]] Words returned() const { return returned_; }

  [[nodiscard]] const Variable& local(const ir::Op& op) const { return plan_.locals.at(op.result); }
  [[nodiscard]] std::byte* local_data(const Variable& variable, std::uint32_t lane) {
    return locals_.data() + lane * plan_.local_bytes + variable.offset_bytes;
  }
  [[nodiscard]] std::byte* local_shadow(const Variable& variable, std::uint32_t lane) {
    return shadows_.data() + lane * plan_.local_bytes + variable.offset_bytes;
  }

 private:
  const ir::Function& function_;
  const FunctionPlan& plan_;
  std::vector<std::uint64_t> storage_;
  std::vector<std::uint64_t> constants_;
  std::vector<std::uint64_t> result_storage_;
  std::vector<Words> values_;  // by ValueId
  Words returned_;
  std::vector<std::byte> locals_;
  std::vector<std::byte> shadows_;
};

// What a lane is doing: going on; on its way out of a loop, an iteration or a callable; or done.
enum class LaneState : std::uint8_t { running, breaking, continuing, returned, exited };

class Block {
 public:
  explicit Block(const Plan& plan);

  // A block that waits for others needs a suspender.
  void run(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome, Suspender* suspender = nullptr);
  // Until the block may look again whether it has waited long enough.
  void suspend(const BlockWait& wait);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const ir::Module& module() const { return plan_.module; }
  [[nodiscard]] const ir::TypeTable& types() const { return plan_.module.types; }
  [[nodiscard]] const ir::KernelAttributes& attributes() const { return plan_.kernel.attributes; }
  [[nodiscard]] const Dispatch& dispatch() const { return *dispatch_; }
  [[nodiscard]] const Size3& id() const { return id_; }
  // A lane's place in the block.
  [[nodiscard]] Size3 thread_id(std::uint32_t lane) const;
  [[nodiscard]] Frame& frame(ir::FunctionId id) { return frames_[id.index]; }
  [[nodiscard]] bool is_kernel(const Frame& frame) const { return &frame.function() == &plan_.kernel; }

  // Runs the ops of a region for lanes that are running. Afterwards each of them is running or on its way out.
  void run_region(Frame& frame, ir::RegionId region, Lanes lanes);
  // An op that lanes may part in, while it is being run: for the message when they miss a barrier.
  void enter(const ir::Op& op, Lanes lanes) { scopes_.push_back({&op, lanes}); }
  void leave() { scopes_.pop_back(); }

  [[nodiscard]] LanePool& pool() { return pool_; }
  [[nodiscard]] LaneState& state(std::uint32_t lane) { return states_[lane]; }
  // Drops lanes that are on their way out.
  void keep_running(LaneList& lanes) const {
    lanes.keep_if([&](std::uint32_t lane) { return states_[lane] == LaneState::running; });
  }
  // The lane has returned from the kernel.
  void exit(std::uint32_t lane) {
    states_[lane] = LaneState::exited;
    --live_;
  }
  // Whether these are all lanes that have not returned from the kernel.
  [[nodiscard]] bool are_all_live(Lanes lanes) const { return lanes.size() == live_; }
  // A lane that has not returned from the kernel and is not among these, and the op in which it parted from them.
  struct Absent {
    std::uint32_t lane;
    const ir::Op* scope;
  };
  [[nodiscard]] Absent absent_from(Lanes lanes) const;

  [[nodiscard]] std::byte* shared_data(const Variable& variable) { return shared_.data() + variable.offset_bytes; }
  [[nodiscard]] std::byte* shared_shadow(const Variable& variable) {
    return shared_shadow_.data() + variable.offset_bytes;
  }

  // Stops everything, unless it is stopped already.
  void fault(FaultKind kind, const ir::Op& op, std::uint32_t lane, std::string message);
  // A read of bytes that were not written.
  void count_uninitialised(const ir::Op& op, std::uint32_t lane);
  // Notices the cancel flag. Returns whether to stop.
  bool check_cancelled();
  [[nodiscard]] bool stopped() const { return outcome_->stopped(); }

 private:
  struct Scope {
    const ir::Op* op;
    Lanes lanes;
  };

  void start(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome);
  void read_arguments();

  const Plan& plan_;
  std::uint32_t lane_count_;
  std::vector<Frame> frames_;  // by FunctionId
  std::vector<LaneState> states_;
  LanePool pool_;
  std::vector<Scope> scopes_;
  std::vector<std::byte> shared_;
  std::vector<std::byte> shared_shadow_;
  std::size_t live_ = 0;

  const Dispatch* dispatch_ = nullptr;
  Size3 id_{};
  Outcome* outcome_ = nullptr;
  Suspender* suspender_ = nullptr;
};

}  // namespace weft::interp
