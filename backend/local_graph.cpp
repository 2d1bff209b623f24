#include "backend/local_graph.h"

#include "backend/local_command.h"

#include <memory>
#include <utility>

namespace weft::backend {
namespace {

using runtime::Command;

// Tells when a command begins. Its end the queue's observer tells, also if it does not begin.
class WatchedCommand final : public Command {
 public:
  WatchedCommand(std::shared_ptr<Command> command, void (*begin)(void*), void* user)
      : command_(std::move(command)), begin_(begin), user_(user) {}

  Step start(const runtime::Ticket& ticket, Caller caller) override {
    begin_(user_);
    return command_->start(ticket, caller);
  }
  Step help() override { return command_->help(); }
  void cancel() override { command_->cancel(); }
  runtime::Outcome take_outcome() override { return command_->take_outcome(); }
  std::optional<std::uint64_t> stuck_since() const override { return command_->stuck_since(); }
  unsigned thread_count() const override { return command_->thread_count(); }

 private:
  const std::shared_ptr<Command> command_;
  void (*const begin_)(void*);
  void* const user_;
};

std::shared_ptr<Command> watch(const std::shared_ptr<Command>& command, const WeftGraphLaunch& launch, void* user) {
  auto watched = std::make_shared<WatchedCommand>(command, launch.begin, user);
  watched->set_label(command->label());
  watched->set_observer([end = launch.end, user, then = command->observer()](const runtime::CommandTimes& times) {
    if (then) then(times);
    end(user);
  });
  return watched;
}

runtime::Access to_access(std::uint32_t access) {
  return (access & WEFT_ACCESS_WRITE) != 0 ? runtime::Access::update : runtime::Access::read;
}

std::size_t edge_count(const WeftGraphLaunch& launch) {
  std::size_t count = 0;
  for (const WeftGraphNode& node : std::span(launch.nodes, launch.node_count)) count += node.predecessor_count;
  return count;
}

}  // namespace

LocalGraph::LocalGraph(const WeftGraphLaunch& launch) {
  const std::shared_ptr<void> owner(launch.user, [release = launch.release](void* user) { release(user); });
  dependencies_.reserve(edge_count(launch));
  nodes_.reserve(launch.node_count);
  for (const WeftGraphNode& node : std::span(launch.nodes, launch.node_count)) {
    std::shared_ptr<Command> command = to_local(node.command, owner);
    if (launch.begin != nullptr) command = watch(command, launch, node.command.user);
    const std::size_t first = dependencies_.size();
    for (const WeftGraphEdge& edge : std::span(node.predecessors, node.predecessor_count)) {
      dependencies_.push_back({edge.from, edge.carries_failure != 0});
    }
    nodes_.push_back({std::move(command), std::span(dependencies_).subspan(first)});
  }
  for (const WeftGraphUse& use : std::span(launch.uses, launch.use_count)) {
    uses_.push_back(use_of(use.range, to_access(use.access)));
  }
}

}  // namespace weft::backend
