// Whether functions call each other in a circle.
#include <algorithm>

#include "codegen/ir/verify/calls.h"
#include "codegen/ir/verify/rules.h"

namespace weft::ir {

namespace {

enum class State : std::uint8_t { unseen, open, done };

// Depth first over the calls, without recursion of its own: a chain of calls may be long.
class CycleFinder {
 public:
  CycleFinder(const Module& module, Findings& findings)
      : m_(module), findings_(findings), states_(module.functions.size()) {
    for (const Function& f : m_.functions) {
      calls_.push_back(calls_of(f));
    }
  }

  bool run() {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      search(i);
    }
    return good_;
  }

 private:
  struct Step {
    std::size_t function;
    std::size_t next_call = 0;
  };

  void search(std::size_t root) {
    if (states_[root] != State::unseen) {
      return;
    }
    path_ = {{root}};
    states_[root] = State::open;
    while (!path_.empty()) {
      Step& step = path_.back();
      const auto& calls = calls_[step.function];
      if (step.next_call == calls.size()) {
        states_[step.function] = State::done;
        path_.pop_back();
      } else {
        follow(step.function, calls[step.next_call++]);
      }
    }
  }

  void follow(std::size_t caller, OpId call) {
    const Op& op = m_.functions[caller].op(call);
    const auto callee = static_cast<std::size_t>(op.imm);
    if (states_[callee] == State::open) {
      report(op, callee);
    } else if (states_[callee] == State::unseen) {
      states_[callee] = State::open;
      path_.push_back({callee});
    }
  }

  void report(const Op& call, std::size_t callee) {
    const auto first = std::find_if(path_.begin(), path_.end(), [&](const Step& s) { return s.function == callee; });
    std::string cycle;
    for (auto step = first; step != path_.end(); ++step) {
      cycle += "@" + m_.functions[step->function].name + " calls ";
    }
    findings_.error(call.location, "recursion: {}@{}", cycle, m_.functions[callee].name);
    good_ = false;
  }

  const Module& m_;
  Findings& findings_;
  std::vector<std::vector<OpId>> calls_;
  std::vector<State> states_;
  std::vector<Step> path_;
  bool good_ = true;
};

}  // namespace

bool check_recursion(const Module& module, Findings& findings) { return CycleFinder(module, findings).run(); }

}  // namespace weft::ir
