// What graphs cost, without any node's own work: launches of 10,000 nodes that do nothing, and planning the memory of
// as many transients. Prints one line per figure: the median of many repetitions, and the best.
#include <weft/weft.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace weft;

namespace {

constexpr std::size_t kNodes = 10'000;

// Nanoseconds: median, best.
std::pair<double, double> time(int runs, const std::function<void()>& action) {
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front()};
}

void show(const char* what, std::pair<double, double> nanoseconds, double per, const char* unit) {
  fmt::print("{:<58} {:>10.3f} {}  best {:>10.3f} {}\n", what, nanoseconds.first / per, unit, nanoseconds.second / per,
             unit);
}

enum class Shape { chain, side_by_side, random };

// The nodes that number `i` comes after.
std::vector<GraphNode> before(Shape shape, const std::vector<GraphNode>& nodes, std::mt19937& random) {
  if (nodes.empty() || shape == Shape::side_by_side) return {};
  if (shape == Shape::chain) return {nodes.back()};
  const std::size_t reach = std::min<std::size_t>(nodes.size(), 100);
  return {nodes[nodes.size() - 1 - random() % reach], nodes[nodes.size() - 1 - random() % reach]};
}

template <typename Add>
Graph make_graph(const Device& device, Shape shape, unsigned seed, Add add) {
  GraphBuilder recording = device.create_graph(GraphOrder::given);
  std::mt19937 random(seed);
  std::vector<GraphNode> nodes;
  for (std::size_t i = 0; i < kNodes; ++i) nodes.push_back(add(recording, before(shape, nodes, random)));
  return recording.instantiate();
}

void measure_launches(const Device& device) {
  Stream stream = device.create_stream();
  const Shader empty = device.compile(Kernel1D{"empty", block_size(32), [] {}});
  const auto add_kernel = [&](GraphBuilder& graph, const std::vector<GraphNode>& after) {
    return graph.add(empty().dispatch(32), after);
  };
  const auto add_join = [&](GraphBuilder& graph, const std::vector<GraphNode>& after) { return graph.join(after); };
  const auto measure = [&](const char* what, const Graph& graph) {
    show(what, time(60, [&] { stream << graph.launch() << synchronize(); }), 1000.0 * kNodes, "us a node");
  };
  measure("10,000 empty nodes, chain", make_graph(device, Shape::chain, 1, add_join));
  measure("10,000 empty nodes, side by side", make_graph(device, Shape::side_by_side, 1, add_join));
  measure("10,000 empty nodes, random edges", make_graph(device, Shape::random, 1, add_join));
  measure("10,000 empty kernels, chain", make_graph(device, Shape::chain, 1, add_kernel));
  measure("10,000 empty kernels, side by side", make_graph(device, Shape::side_by_side, 1, add_kernel));
  measure("10,000 empty kernels, random edges", make_graph(device, Shape::random, 1, add_kernel));
}

// Each transient is filled by one node and read by another.
void measure_planning(const Device& device, unsigned seed) {
  GraphBuilder recording = device.create_graph(GraphOrder::given);
  auto out = device.create_buffer<int>(1 << 16);
  std::mt19937 random(seed);
  std::vector<GraphNode> nodes;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const std::uint64_t count = 1 + random() % (1 << 16);
    const BufferView<int> transient = recording.transient<int>(count);
    nodes.push_back(recording.add(transient.fill(1), before(Shape::random, nodes, random)));
    nodes.push_back(recording.add(out.subview(0, count).copy_from(transient), {nodes.back()}));
  }
  MemoryEstimates estimates;
  show("planning 10,000 transients of 20,000 nodes", time(3, [&] { estimates = recording.memory_estimates(); }), 1e6,
       "ms");
  fmt::print("  private {} bytes, aliased {}, serial {}\n", estimates.private_bytes, estimates.aliased_bytes,
             estimates.serial_bytes);
  const std::uint64_t budget = (estimates.serial_bytes + estimates.aliased_bytes) / 2;
  show("instantiating it within a budget", time(1, [&] { (void)recording.instantiate({.budget_bytes = budget}); }), 1e6,
       "ms");
}

}  // namespace

int main() {
  const Device device("cpu");
  measure_launches(device);
  measure_planning(device, 2);
}
