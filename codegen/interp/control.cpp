// Handlers of the family control: how lanes part and come together again, calls, and what lanes report.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "codegen/interp/handlers.h"
#include "runtime/support/format_values.h"

namespace weft::interp::handlers {

using namespace ir;

namespace {

// Says, while it lives, that lanes may part in the op.
class Scope {
 public:
  explicit Scope(const Context& c) : block_(c.block) { block_.enter(c.op, c.lanes); }
  ~Scope() { block_.leave(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Block& block_;
};

template <class Predicate>
void run_where(const Context& c, RegionId region, Predicate predicate) {
  LaneList lanes = c.block.pool().take();
  lanes.assign(c.lanes);
  lanes.keep_if(predicate);
  if (!lanes.empty() && !c.block.stopped()) {
    c.block.run_region(c.frame, region, lanes.lanes());
  }
}

void set_states(const Context& c, LaneState state) {
  for (const std::uint32_t lane : c.lanes) {
    c.block.state(lane) = state;
  }
}

// Lanes in one state go on.
void resume(const Context& c, Lanes lanes, LaneState from) {
  for (const std::uint32_t lane : lanes) {
    if (c.block.state(lane) == from) {
      c.block.state(lane) = LaneState::running;
    }
  }
}

void report(const Context& c, FaultKind kind, std::uint32_t lane) {
  c.block.fault(kind, c.op, lane, std::string(c.block.module().string(StringId(c.op.imm))));
}

}  // namespace

void if_(const Context& c) {
  const Scope scope(c);
  const auto regions = c.frame.function().regions(c.op);
  const Words condition = c.operand(0);
  run_where(c, regions[0], [&](std::uint32_t lane) { return condition.at(lane) != 0; });
  run_where(c, regions[1], [&](std::uint32_t lane) { return condition.at(lane) == 0; });
}

// Each round: lanes for which the condition fails leave; those that break are done when the body is, those that
// continue join the others for the update.
void loop(const Context& c) {
  const Scope scope(c);
  const Function& function = c.frame.function();
  const auto regions = function.regions(c.op);
  const Op& yield = function.op(function.region(regions[0]).ops.back());
  const Words condition = c.frame.operand(yield, 0);
  LaneList lanes = c.block.pool().take();
  LaneList left = c.block.pool().take();
  lanes.assign(c.lanes);
  while (!lanes.empty() && !c.block.check_cancelled()) {
    c.block.run_region(c.frame, regions[0], lanes.lanes());
    c.block.keep_running(lanes);
    lanes.keep_if([&](std::uint32_t lane) { return condition.at(lane) != 0; });
    c.block.run_region(c.frame, regions[1], lanes.lanes());
    resume(c, lanes.lanes(), LaneState::continuing);
    c.block.keep_running(lanes);
    c.block.run_region(c.frame, regions[2], lanes.lanes());
    c.block.keep_running(lanes);
  }
  resume(c, c.lanes, LaneState::breaking);
}

void switch_(const Context& c) {
  const Scope scope(c);
  const auto regions = c.frame.function().regions(c.op);
  const CaseList& cases = c.frame.function().case_lists[c.op.imm];
  const TypeKind kind = c.scalar_kind(0);
  const Words value = c.operand(0);
  const auto takes = [&](std::size_t i, std::uint32_t lane) {
    return std::ranges::find(cases[i], static_cast<std::int64_t>(index_of(kind, value.at(lane)))) != cases[i].end();
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    run_where(c, regions[i], [&](std::uint32_t lane) { return takes(i, lane); });
  }
  run_where(c, regions.back(), [&](std::uint32_t lane) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (takes(i, lane)) {
        return false;
      }
    }
    return true;
  });
}

// Read by the loop.
void yield(const Context&) {}

void break_(const Context& c) { set_states(c, LaneState::breaking); }
void continue_(const Context& c) { set_states(c, LaneState::continuing); }

void return_(const Context& c) {
  if (c.block.is_kernel(c.frame)) {
    for (const std::uint32_t lane : c.lanes) {
      c.block.exit(lane);
    }
    return;
  }
  if (c.op.operand_count != 0) {
    for (std::uint32_t w = 0; w < word_count(c.block.types(), c.operand_type(0)); ++w) {
      for (const std::uint32_t lane : c.lanes) {
        c.frame.returned().at(lane, w) = c.operand(0).at(lane, w);
      }
    }
  }
  set_states(c, LaneState::returned);
}

void call(const Context& c) {
  const Scope scope(c);
  Frame& callee = c.block.frame(FunctionId(c.op.imm));
  for (std::uint32_t i = 0; i < c.op.operand_count; ++i) {
    const Words parameter = callee.words(callee.function().parameters[i].value);
    for (std::uint32_t w = 0; w < word_count(c.block.types(), c.operand_type(i)); ++w) {
      for (const std::uint32_t lane : c.lanes) {
        parameter.at(lane, w) = c.operand(i).at(lane, w);
      }
    }
  }
  c.block.run_region(callee, callee.function().body(), c.lanes);
  resume(c, c.lanes, LaneState::returned);
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for (const std::uint32_t lane : c.lanes) {
      c.result().at(lane, w) = callee.returned().at(lane, w);
    }
  }
}

void unreachable(const Context& c) { report(c, FaultKind::unreachable, c.lanes.front()); }

void assert_(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    if (c.operand(0).at(lane) == 0) {
      report(c, FaultKind::assertion, lane);
      return;
    }
  }
}

void print(const Context& c) {
  const auto& sink = c.block.plan().options.print;
  std::string letters;
  for (std::uint32_t i = 0; i < c.op.operand_count; ++i) {
    letters += scalar_letter(c.scalar_kind(i));
  }
  std::vector<std::uint64_t> values(letters.size());
  for (const std::uint32_t lane : c.lanes) {
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      values[i] = c.operand(i).at(lane);
    }
    if (sink) {
      sink(format_values(c.block.module().string(StringId(c.op.imm)), letters, values));
    }
  }
}

void clock(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
}

}  // namespace weft::interp::handlers
