// Graphs that run: random ones with everything watched, launches that overlap, failures, profiles.
#include "backend/graph_state.h"
#include "backend/registry.h"
#include "tests/unit/backend/devices.h"

#include <weft/dsl.h>
#include <weft/graph.h>

#include <atomic>
#include <random>
#include <thread>

namespace weft::detail {
std::shared_ptr<StreamState> make_stream(std::shared_ptr<DeviceState> device);  // stream.cpp
}  // namespace weft::detail

using namespace weft;
using namespace weft::test;
using Catch::Contains;

namespace {

// A random graph of a given order: transients are filled by one node each, and copied out by nodes that come after it
// and after what else they happen to be ordered by.
class RandomGraph {
 public:
  RandomGraph(const Device& device, std::size_t transients, unsigned seed)
      : random_(seed), recording_(device.create_graph(GraphOrder::given)) {
    out_ = device.create_buffer<int>(kReaders * kLength * transients);
    for (std::size_t i = 0; i < transients; ++i) add_transient(i);
  }

  GraphBuilder& recording() { return recording_; }

  // How many of the elements that were copied out are not what their transient was filled with.
  std::size_t count_wrong(Stream& stream) const {
    const std::vector<int> values = download(stream, out_.view());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      wrong += values[i] != static_cast<int>(i / (kReaders * kLength)) + 1 ? 1 : 0;
    }
    return wrong;
  }

 private:
  static constexpr std::size_t kReaders = 2;
  static constexpr std::size_t kLength = 16;

  std::size_t draw(std::size_t last) { return std::uniform_int_distribution<std::size_t>(0, last)(random_); }

  std::vector<GraphNode> some_before() {
    std::vector<GraphNode> nodes;
    for (std::size_t i = draw(2); i > 0 && !nodes_.empty(); --i) {
      nodes.push_back(nodes_[nodes_.size() - 1 - draw(std::min<std::size_t>(nodes_.size() - 1, 50))]);
    }
    return nodes;
  }

  GraphNode add(Command command, const std::vector<GraphNode>& after) {
    nodes_.push_back(recording_.add(std::move(command), after));
    return nodes_.back();
  }

  void add_transient(std::size_t i) {
    const BufferView<int> transient = recording_.transient<int>(kLength);
    const GraphNode writer = add(transient.fill(static_cast<int>(i) + 1), some_before());
    const std::size_t delay = draw(20);
    const GraphNode waiter = add(host_callback([delay] {
                                   for (std::size_t k = 0; k < delay; ++k) std::this_thread::yield();
                                 }),
                                 {writer});
    for (std::size_t k = 0; k < kReaders; ++k) {
      std::vector<GraphNode> after = some_before();
      after.push_back(k == 0 ? writer : waiter);
      add(out_.subview((i * kReaders + k) * kLength, kLength).copy_from(transient), after);
    }
  }

  std::mt19937 random_;
  GraphBuilder recording_;
  Buffer<int> out_;
  std::vector<GraphNode> nodes_;
};

}  // namespace

TEST_CASE("graph runs: random graphs keep what their transients hold, with patterns and clocks on") {
  const unsigned workers = GENERATE(1u, 2u, 8u);
  const Device device("cpu", {.threads = workers});
  Stream stream = device.create_stream();
  for (const std::size_t transients : {3u, 30u, 300u, 2500u}) {  // 4 nodes each
    RandomGraph random(device, transients, workers + static_cast<unsigned>(transients));
    const MemoryEstimates estimates = random.recording().memory_estimates();
    const std::uint64_t between = estimates.serial_bytes + (estimates.aliased_bytes - estimates.serial_bytes) / 2;
    for (const std::uint64_t budget : {estimates.aliased_bytes, between}) {
      const Graph graph = random.recording().instantiate({.budget_bytes = budget, .checked = true});
      CHECK(graph.statistics().transient_bytes <= budget);
      stream << graph.launch() << graph.launch();
      CHECK(random.count_wrong(stream) == 0);
    }
  }
}

#if !__has_feature(thread_sanitizer)  // two nodes write the same bytes at once, as they are made to
TEST_CASE("graph runs: a plan that gives the same bytes to transients in use is found out") {
  const std::string name = WEFT_EACH_DEVICE;
  const auto device = std::make_shared<detail::DeviceState>(backend::find_backend(name), DeviceOptions{});
  Stream stream(detail::make_stream(device));
  const auto recorded = std::make_shared<detail::GraphRecording>(device, GraphOrder::inferred);
  GraphBuilder recording(recorded);
  for (const char* label : {"one", "other"}) {
    const BufferView<int> transient = recording.transient<int>(16, {.name = label});
    recording.add(transient.fill(1));
    recording.add(transient.fill(2));
  }
  const auto state = std::make_shared<detail::GraphState>(*recorded, GraphOptions{.name = "g", .checked = true});
  const Graph graph(state);
  stream << graph.launch() << synchronize();
  state->plan.offsets = {0, 0};
  state->patched = nullptr;
  stream << graph.launch();
  const std::string message = message_of<DeviceError>([&] { stream.synchronize(); });
  CHECK_THAT(message, Contains("graph 'g': node ") && Contains("touches bytes of transient '"));
  CHECK_THAT(message, Contains("that are also those of transient '"));
}
#endif

TEST_CASE("graph runs: in a checked graph what nobody has written is a pattern") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<std::uint32_t> first(4, 0);
  std::vector<std::uint32_t> second(4, 0);
  GraphBuilder recording = device.create_graph();
  for (std::vector<std::uint32_t>* target : {&first, &second}) {
    const BufferView<std::uint32_t> transient = recording.transient<std::uint32_t>(4);
    recording.add(transient.subview(1, 1).fill(7));
    recording.add(transient.download(*target));
  }
  const MemoryEstimates estimates = recording.memory_estimates();
  const Graph graph = recording.instantiate({.budget_bytes = estimates.serial_bytes, .checked = true});
  CHECK(graph.statistics().transient_bytes == 16);  // both are in the same place
  stream << graph.launch() << synchronize();
  CHECK(first == std::vector<std::uint32_t>{0xABABABAB, 7, 0xABABABAB, 0xABABABAB});
  CHECK(second == first);
}

TEST_CASE("graph runs: launches on several streams do not get in each other's way") {
  const Device device(WEFT_EACH_DEVICE);
  const auto overlap = GENERATE(GraphOverlap::serialise, GraphOverlap::own_slots);
  std::atomic<int> running{0};
  std::atomic<int> most_running{0};
  GraphBuilder recording = device.create_graph();
  const BufferView<int> out = recording.input<int>(64, "out");
  const GraphUniform<int> value = recording.uniform<int>("value");
  const BufferView<int> transient = recording.transient<int>(64);
  const DynamicShader set = device.compile_text(R"(weft 1
kernel @set(%out: buffer<i32>, %value: i32) block(64) {
  write %out[dispatch_id.x], %value
}
)");
  recording.add(set(transient, value).dispatch(64));
  recording.add(host_callback([&] {
    most_running = std::max(most_running.load(), ++running);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
  }));
  recording.add(out.copy_from(transient));
  const Graph graph = recording.instantiate({.overlap = overlap});
  constexpr int kStreams = 3;
  constexpr int kLaunches = 5;
  std::vector<Stream> streams;
  std::vector<Buffer<int>> results;
  for (int s = 0; s < kStreams; ++s) streams.push_back(device.create_stream());
  for (int i = 0; i < kStreams * kLaunches; ++i) {
    results.push_back(device.create_buffer<int>(64));
    streams[static_cast<std::size_t>(i % kStreams)] << graph.launch({{out, results.back()}, {value, i}});
  }
  for (Stream& stream : streams) stream.synchronize();
  for (int i = 0; i < kStreams * kLaunches; ++i) {
    const Buffer<int>& result = results[static_cast<std::size_t>(i)];
    CHECK(download(streams.front(), result.view()) == std::vector<int>(64, i));
  }
  if (overlap == GraphOverlap::serialise) CHECK(most_running == 1);
}

TEST_CASE("graph runs: a node that fails stops what depends on it, and the launch has failed") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Shader fail = device.compile(Kernel1D{"fail", block_size(1), [](BufferVar<int> out) {
                                                out.write(0u, 1);
                                                $assert(out.size() == 0u);
                                              }});
  auto buffer = device.create_buffer<int>(1);
  auto other = device.create_buffer<int>(1);
  auto copied = device.create_buffer<int>(1);
  std::vector<int> outside{-1};
  GraphBuilder recording = device.create_graph();
  recording.add(fail(buffer).dispatch(1));
  recording.add(copied.copy_from(buffer));
  recording.add(other.fill(5));
  const Graph graph = recording.instantiate();
  stream << copied.fill(2) << other.fill(2) << synchronize() << graph.launch() << copied.download(outside);
  CHECK_THAT(message_of<KernelFault>([&] { stream.synchronize(); }), Contains("kernel 'fail' asserted"));
  CHECK(outside == std::vector<int>{-1});
  CHECK(download(stream, copied.view()) == std::vector<int>{2});
  CHECK(download(stream, other.view()) == std::vector<int>{5});
}

TEST_CASE("graph runs: what a node's function throws comes out of synchronize, and the graph can go on") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  bool throws = true;
  GraphBuilder recording = device.create_graph();
  recording.add(host_callback([&] {
    if (throws) throw std::runtime_error("from a node");
  }));
  const Graph graph = recording.instantiate();
  stream << graph.launch();
  CHECK(message_of<std::runtime_error>([&] { stream.synchronize(); }) == "from a node");
  throws = false;
  stream << graph.launch();
  CHECK_NOTHROW(stream.synchronize());
}

TEST_CASE("graph runs: what a launch uses lives until it has ended") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<int> values(4, 0);
  std::atomic<bool> may_go{false};
  {
    GraphBuilder recording = device.create_graph();
    const BufferView<int> transient = recording.transient<int>(4);
    const BufferView<int> input = recording.input<int>(4, "input");
    recording.add(host_callback([&] { may_go.wait(false); }));
    recording.add(transient.copy_from(input));
    recording.add(transient.download(values));
    auto buffer = device.create_buffer<int>(4);
    stream << buffer.fill(9) << recording.instantiate().launch({{input, buffer}});
  }
  may_go = true;
  may_go.notify_all();
  stream << synchronize();
  CHECK(values == std::vector<int>(4, 9));
}

TEST_CASE("graph runs: a cancelled launch ends, and the next one runs, on another stream, too") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  Stream other = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  auto copied = device.create_buffer<std::uint32_t>(1);
  auto size = device.create_buffer<uint3>(1);
  GraphBuilder recording = device.create_graph();
  const BufferView<std::uint32_t> transient = recording.transient<std::uint32_t>(1, {.zeroed = true});
  recording.add(count(transient).dispatch_blocks_indirect(size, {100'000'000, 1, 1}));
  recording.add(copied.copy_from(transient));
  const Graph graph = recording.instantiate();
  stream << size.upload({{100'000'000, 1, 1}}) << copied.fill(7) << graph.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stream.cancel();
  CHECK_THROWS_AS(stream.synchronize(), DispatchCancelled);
  CHECK(download(stream, copied.view()) == std::vector<std::uint32_t>{7});
  other << size.upload({{3, 1, 1}}) << graph.launch();
  CHECK(download(other, copied.view()) == std::vector<std::uint32_t>{96});
}

TEST_CASE("graph runs: nodes are profiled one by one") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(4);
  GraphBuilder recording = device.create_graph();
  recording.add(buffer.fill(1));
  recording.add(host_callback([] {}));
  const Graph graph = recording.instantiate();
  stream.set_profiling(true);
  stream << graph.launch() << synchronize();
  const std::vector<CommandProfile> profiles = stream.take_profiles();
  REQUIRE(profiles.size() == 2);
  CHECK(profiles[0].command == "fill of 4 i32");
  CHECK(profiles[1].command == "host callback");
  CHECK_FALSE(profiles[1].skipped);
}

TEST_CASE("graph runs: the picture names nodes, edges and places") {
  const Device device(WEFT_EACH_DEVICE);
  auto buffer = device.create_buffer<int>(64);
  GraphBuilder recording = device.create_graph();
  for (const char* name : {"first", "second"}) {
    const BufferView<int> transient = recording.transient<int>(16, {.name = name});
    recording.add(transient.fill(1));
    recording.add(buffer.subview(name[0] == 'f' ? 0 : 16, 16).copy_from(transient));
  }
  CHECK_THAT(recording.dot(),
             Contains("digraph {") && Contains("n0 -> n1;") && Contains("transient 'first' of 16 i32"));
  CHECK_THAT(recording.dot(), !Contains(" at 0"));
  const std::string picture = recording.instantiate({.budget_bytes = 64}).dot();
  CHECK_THAT(picture, Contains("n1 [label=\"1: copy of 16 i32\\ntransient 'first' of 16 i32 at 0\"];"));
  CHECK_THAT(picture, Contains("n1 -> n2 [style=dotted, color=red];"));
}
