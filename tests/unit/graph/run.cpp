// Random graphs run on real threads, with delays, and with everything on that could see two commands on one byte: each
// transient's first user fills it, the others find what it filled in, and vector clocks watch. A plan by the wrong
// rule, lifetimes by levels, must be caught by the same run.
#include "runtime/command_queue.h"
#include "runtime/graph/plan.h"
#include "runtime/graph/slot_checker.h"
#include "runtime/workers.h"
#include "tests/unit/graph/random_graphs.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>
#include <thread>

using namespace weft;
using namespace weft::graph;
using namespace weft::graph::test;

namespace {

enum class Memory { untouched, used };

// One run of a graph over a plan.
class Run {
 public:
  Run(const Dag& dag, std::span<const Transient> transients, const Plan& plan, Memory memory)
      : dag_(dag),
        transients_(transients),
        plan_(plan),
        checker_(dag, transients, plan.offsets),
        arena_(memory == Memory::used ? plan.size_bytes : 0),
        transients_of_(dag.node_count()),
        ended_(dag.node_count()) {
    if (memory == Memory::untouched) return;
    for (TransientIndex t = 0; t < transients.size(); ++t) {
      for (const NodeIndex user : transients[t].users) transients_of_[user].push_back(t);
    }
  }

  void go(unsigned workers, unsigned seed) {
    const auto queue = runtime::CommandQueue::create(std::make_shared<runtime::WorkerPool>(workers));
    std::vector<std::vector<runtime::Dependency>> dependencies(dag_.node_count());
    std::vector<runtime::GraphNode> nodes;
    const std::vector<std::uint32_t> place = positions(dag_.order());
    for (const NodeIndex node : dag_.order()) {
      for (const NodeIndex earlier : dag_.predecessors(node)) dependencies[node].push_back({place[earlier], false});
      const auto delay = static_cast<unsigned>((node * 2654435761U + seed) % 97);
      nodes.push_back(
          {std::make_shared<runtime::HostCommand>([this, node, delay] { run(node, delay); }), dependencies[node]});
    }
    queue->submit_graph(nodes);
    queue->flush();
    CHECK(queue->synchronize().ok());
  }

  std::size_t violations() const { return violations_; }
  std::size_t corruptions() const { return corruptions_; }
  std::size_t early_starts() const { return early_starts_; }

 private:
  void run(NodeIndex node, unsigned delay) {
    for (const NodeIndex earlier : dag_.predecessors(node)) early_starts_ += ended_[earlier] ? 0 : 1;
    if (checker_.begin(node)) ++violations_;
    for (const TransientIndex t : transients_of_[node]) use(node, t);
    for (unsigned i = 0; i < delay / 8; ++i) std::this_thread::yield();
    for (const TransientIndex t : transients_of_[node]) find(t);
    checker_.end(node);
    ended_[node] = true;
  }

  void use(NodeIndex node, TransientIndex t) {
    if (node == transients_[t].users.front()) {
      std::memset(arena_.data() + plan_.offsets[t], mark(t), transients_[t].size_bytes);
    }
  }
  void find(TransientIndex t) {
    const auto bytes = std::span(arena_).subspan(plan_.offsets[t], transients_[t].size_bytes);
    if (!std::ranges::all_of(bytes, [&](unsigned char byte) { return byte == mark(t); })) ++corruptions_;
  }
  static unsigned char mark(TransientIndex t) { return static_cast<unsigned char>(t * 151 + t / 256 + 1); }

  const Dag& dag_;
  std::span<const Transient> transients_;
  const Plan& plan_;
  SlotChecker checker_;
  std::vector<unsigned char> arena_;
  std::vector<std::vector<TransientIndex>> transients_of_;
  std::vector<std::atomic<bool>> ended_;
  std::atomic<std::size_t> violations_{0};
  std::atomic<std::size_t> corruptions_{0};
  std::atomic<std::size_t> early_starts_{0};
};

// The wrong rule: a transient lives from the level of its first user to that of its last one.
Plan plan_by_levels(const Dag& dag, std::span<const Transient> transients) {
  std::vector<std::size_t> level(dag.node_count(), 0);
  for (const NodeIndex node : dag.order()) {
    for (const NodeIndex earlier : dag.predecessors(node)) level[node] = std::max(level[node], level[earlier] + 1);
  }
  Conflicts conflicts(transients.size());
  std::vector<TransientIndex> order;
  for (TransientIndex b = 0; b < transients.size(); ++b) {
    order.push_back(b);
    for (TransientIndex a = 0; a < transients.size(); ++a) {
      const auto [first_a, last_a] = std::ranges::minmax(transients[a].users, {}, [&](auto n) { return level[n]; });
      const auto [first_b, last_b] = std::ranges::minmax(transients[b].users, {}, [&](auto n) { return level[n]; });
      if (a != b && level[first_a] <= level[last_b] && level[first_b] <= level[last_a]) conflicts.set(b, a);
    }
  }
  Placement placement = place(transients, Separation(conflicts), order, 0);
  return {std::move(placement.offsets), placement.size_bytes, {}};
}

Dag with_edges(const Dag& dag, std::span<const Edge> added) {
  std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
  edges.insert(edges.end(), added.begin(), added.end());
  return Dag(dag.node_count(), std::move(edges));
}

struct Example {
  Dag dag;
  std::vector<Transient> transients;
};

Example make_example(Random& random, std::size_t nodes, std::uint64_t most_bytes) {
  Dag dag = random_dag(random, nodes, 2 * nodes, std::max<std::size_t>(4, nodes / 50));
  std::vector<Transient> transients = random_transients(random, dag, nodes, most_bytes);
  return {std::move(dag), std::move(transients)};
}

}  // namespace

TEST_CASE("run: no command touches bytes that are not its own") {
  const unsigned workers = GENERATE(1u, 2u, 8u);
  Random random(workers);
  for (const std::size_t nodes : {3u, 30u, 300u, 2000u}) {
    for (int round = 0; round < (nodes < 1000 ? 10 : 1); ++round) {
      const auto [dag, transients] = make_example(random, nodes, 200);
      const Planner planner(dag, transients);
      const MemoryEstimates& estimates = planner.estimates();
      const std::uint64_t budget = estimates.serial_bytes + (estimates.aliased_bytes - estimates.serial_bytes) / 2;
      for (const Plan& plan : {planner.plan(), *planner.plan_within(budget)}) {
        const Dag ordered = with_edges(dag, plan.added_edges);
        Run run(ordered, transients, plan, Memory::used);
        run.go(workers, static_cast<unsigned>(round));
        CHECK(run.violations() == 0);
        CHECK(run.corruptions() == 0);
        CHECK(run.early_starts() == 0);
      }
    }
  }
}

TEST_CASE("run: ten thousand nodes") {
  const unsigned workers = GENERATE(1u, 2u, 8u);
  Random random(workers);
  const auto [dag, transients] = make_example(random, 10'000, 200);
  const Plan plan = Planner(dag, transients).plan();
  Run run(dag, transients, plan, Memory::used);
  run.go(workers, 0);
  CHECK(run.violations() == 0);
  CHECK(run.corruptions() == 0);
  CHECK(run.early_starts() == 0);
}

TEST_CASE("run: lifetimes by levels are caught, on one thread, too") {
  const unsigned workers = GENERATE(1u, 2u, 8u);
  Random random(workers);
  for (int round = 0; round < 10; ++round) {
    const auto [dag, transients] = make_example(random, 300, 200);
    const Plan plan = plan_by_levels(dag, transients);
    Run run(dag, transients, plan, Memory::untouched);
    run.go(workers, static_cast<unsigned>(round));
    CHECK(run.violations() > 0);
  }
}

TEST_CASE("run: the budget's edges are needed") {
  Random random(9);
  const auto [dag, transients] = make_example(random, 300, 200);
  const Planner planner(dag, transients);
  const std::optional<Plan> plan = planner.plan_within(planner.estimates().serial_bytes);
  REQUIRE(plan);
  Run run(dag, transients, *plan, Memory::untouched);
  run.go(2, 0);
  CHECK(run.violations() > 0);
}

TEST_CASE("slot checker: an unordered user is found whichever comes first") {
  // 0 -> 1 and 2 -> 3 beside each other, their transients on the same bytes.
  const Dag dag(4, {{0, 1}, {2, 3}});
  const std::vector<Transient> transients{{8, 1, {0, 1}, false}, {8, 1, {2, 3}, false}};
  const std::vector<std::uint64_t> offsets{0, 4};
  using Kind = SlotViolation::Kind;
  SECTION("after the other has ended") {
    SlotChecker checker(dag, transients, offsets);
    for (const NodeIndex node : {0u, 1u}) {
      CHECK_FALSE(checker.begin(node));
      checker.end(node);
    }
    const std::optional<SlotViolation> found = checker.begin(2);
    REQUIRE(found);
    CHECK(found->kind == Kind::unordered);
    CHECK(found->node == 2);
    CHECK(found->transient == 1);
    CHECK(found->other == 0);
  }
  SECTION("in between") {
    SlotChecker checker(dag, transients, offsets);
    CHECK_FALSE(checker.begin(0));
    checker.end(0);
    CHECK(checker.begin(2));
    checker.end(2);
    const std::optional<SlotViolation> found = checker.begin(1);
    REQUIRE(found);
    CHECK(found->kind == Kind::taken);
    CHECK(found->other == 1);
  }
}

TEST_CASE("slot checker: a node that starts before its predecessor has ended is found") {
  const Dag dag = chain(2);
  const std::vector<Transient> transients{{8, 1, {0}, false}, {8, 1, {1}, false}};
  const std::vector<std::uint64_t> offsets{0, 0};
  SlotChecker checker(dag, transients, offsets);
  CHECK_FALSE(checker.begin(0));
  const std::optional<SlotViolation> found = checker.begin(1);
  REQUIRE(found);
  CHECK(found->kind == SlotViolation::Kind::unordered);
}

TEST_CASE("slot checker: bytes that change hands while an earlier user still runs are found") {
  // 1 starts too early and ends, so that 2 follows all edges and yet runs beside 0.
  const Dag dag = chain(3);
  const std::vector<Transient> transients{{8, 1, {0, 1}, false}, {8, 1, {2}, false}};
  const std::vector<std::uint64_t> offsets{0, 0};
  SlotChecker checker(dag, transients, offsets);
  CHECK_FALSE(checker.begin(0));
  CHECK_FALSE(checker.begin(1));
  checker.end(1);
  const std::optional<SlotViolation> found = checker.begin(2);
  REQUIRE(found);
  CHECK(found->kind == SlotViolation::Kind::in_use);
  CHECK(found->node == 2);
  CHECK(found->other == 0);
}
