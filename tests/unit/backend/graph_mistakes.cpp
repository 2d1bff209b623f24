// Graphs that are recorded or launched wrongly: each mistake is an exception that says what is wrong, and nothing runs.
#include <weft/graph.h>

#include "tests/unit/backend/devices.h"

using namespace weft;
using namespace weft::test;
using Catch::Contains;

namespace {

template <typename Action>
std::string mistake(Action action) {
  return message_of<UsageError>(action);
}

}  // namespace

TEST_CASE("graph mistakes: a cycle is told with its nodes") {
  const Device device(WEFT_EACH_DEVICE);
  GraphBuilder recording = device.create_graph(GraphOrder::given);
  auto buffer = device.create_buffer<int>(1);
  const GraphNode first = recording.add(buffer.fill(1));
  const GraphNode second = recording.add(host_callback([] {}), {first});
  recording.add(buffer.fill(2));
  recording.order(second, first);
  CHECK(
      mistake([&] { (void)recording.instantiate(); }) ==
      "a graph's nodes wait for each other in a cycle: node 0, fill of 1 i32; node 1, host callback; and again node 0");
  CHECK_THAT(mistake([&] { (void)recording.memory_estimates(); }), Contains("in a cycle"));
  CHECK_THAT(mistake([&] { (void)recording.dot(); }), Contains("in a cycle"));
}

TEST_CASE("graph mistakes: a buffer that is gone when the graph is launched") {
  const Device device(WEFT_EACH_DEVICE);
  GraphBuilder recording = device.create_graph();
  std::vector<int> values(3);
  {
    auto buffer = device.create_buffer<int>(3);
    recording.add(buffer.download(values));
  }
  const Graph graph = recording.instantiate({.name = "late"});
  CHECK(mistake([&] { (void)graph.launch(); }) ==
        "a launch of graph 'late' uses a buffer of 3 i32 that was destroyed before");
}

TEST_CASE("graph mistakes: a buffer that is gone when its command is recorded") {
  const Device device(WEFT_EACH_DEVICE);
  GraphBuilder recording = device.create_graph();
  auto buffer = device.create_buffer<int>(3);
  Command fill = buffer.fill(1);
  buffer = {};
  CHECK_THAT(mistake([&] { recording.add(std::move(fill)); }), Contains("uses a buffer that was destroyed before"));
}

TEST_CASE("graph mistakes: a transient that is read before it was written") {
  const Device device(WEFT_EACH_DEVICE);
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(10);
  const auto order = GENERATE(GraphOrder::inferred, GraphOrder::given);
  GraphBuilder recording = device.create_graph(order);
  const BufferView<float> transient = recording.transient<float>(10, {.name = "early"});
  SECTION("by a kernel, and written after it") {
    const GraphNode reader = recording.add(scale(transient, buffer, 1.0F).dispatch(10));
    recording.add(transient.fill(1.0F), {reader});
    CHECK(mistake([&] { (void)recording.instantiate(); }) ==
          "node 0, dispatch of kernel 'scale' of a graph reads bytes 0 to 40 of transient 'early' of 10 f32, which no "
          "node "
          "before it writes");
  }
  SECTION("by a copy, and other bytes were written") {
    const GraphNode writer = recording.add(transient.subview(0, 5).fill(1.0F));
    recording.add(buffer.subview(0, 5).copy_from(transient.subview(5, 5)), {writer});
    CHECK_THAT(mistake([&] { (void)recording.memory_estimates(); }), Contains("reads bytes 20 to 40"));
  }
  SECTION("in a given order, by a node that does not come after the writer") {
    GraphBuilder given = device.create_graph(GraphOrder::given);
    const BufferView<float> other = given.transient<float>(10);
    const GraphNode writer = given.add(other.fill(1.0F));
    const GraphNode between = given.add(host_callback([] {}), {writer});
    given.add(buffer.copy_from(other), {between});
    CHECK_NOTHROW(given.instantiate());
    given.add(buffer.copy_from(other));
    CHECK_THAT(mistake([&] { (void)given.instantiate(); }), Contains("node 3, copy of 10 f32"));
  }
  SECTION("not if it starts zeroed, or the reader writes it itself") {
    const BufferView<float> zeroed = recording.transient<float>(10, {.zeroed = true});
    recording.add(scale(zeroed, buffer, 1.0F).dispatch(10));
    recording.add(scale(transient, transient, 1.0F).dispatch(10));
    CHECK_NOTHROW(recording.instantiate());
  }
}

TEST_CASE("graph mistakes: objects of another device, another graph, or for graphs alone") {
  const Device device(WEFT_EACH_DEVICE);
  const Device other_device("interp");
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(10);
  auto foreign = other_device.create_buffer<float>(10);
  GraphBuilder recording = device.create_graph();
  GraphBuilder other = device.create_graph();
  const BufferView<float> transient = recording.transient<float>(10);
  const BufferView<float> input = recording.input<float>(10, "input");
  const GraphUniform<float> factor = recording.uniform<float>("factor");
  CHECK_THAT(mistake([&] { recording.add(foreign.fill(1.0F)); }), Contains("belongs to device interp #"));
  CHECK_THAT(mistake([&] { other.add(transient.fill(1.0F)); }), Contains("a transient or an input of another graph"));
  CHECK_THAT(mistake([&] { other.add(scale(buffer, buffer, factor).dispatch(1)); }),
             Contains("argument 3 ('factor') of kernel 'scale' is a uniform of another graph"));
  CHECK_THAT(mistake([&] { recording.add(scale(buffer, buffer, GraphUniform<float>()).dispatch(1)); }),
             Contains("is a uniform of no graph"));
  CHECK_THAT(mistake([&] { recording.add(scale(buffer, buffer, recording.uniform<int>("whole", 1)).dispatch(1)); }),
             Contains("is a value of f32 (4 bytes)"));
  const GraphNode node = recording.add(buffer.fill(1.0F));
  CHECK_THAT(mistake([&] { other.add(buffer.fill(1.0F), {node}); }), Contains("a node of another graph"));
  CHECK_THAT(mistake([&] { other.order(GraphNode(), node); }), Contains("a node of no graph"));
  CHECK_THAT(mistake([&] { stream << transient.fill(1.0F); }), Contains("only commands of that graph may"));
  CHECK_THAT(mistake([&] { stream << input.fill(1.0F); }), Contains("only commands of that graph may"));
  CHECK_THAT(mistake([&] { stream << scale(buffer, buffer, factor).dispatch(1); }),
             Contains("is a uniform of a graph"));
  const Event event = device.create_event();
  CHECK_THAT(mistake([&] { recording.add(event.signal(1)); }), Contains("cannot record the signal of value 1"));
  CHECK_THAT(mistake([&] { recording.add(event.wait(1)); }), Contains("cannot record the wait for value 1"));
  const Graph graph = recording.instantiate();
  CHECK_THAT(mistake([&] { recording.add(graph.launch({{input, buffer}, {factor, 1.0F}})); }),
             Contains("cannot record the launch of graph 'graph'"));
  Stream elsewhere = other_device.create_stream();
  CHECK_THAT(mistake([&] { elsewhere << graph.launch({{input, buffer}, {factor, 1.0F}}); }),
             Contains("belongs to device"));
}

TEST_CASE("graph mistakes: launches that give too little, too much or what does not fit") {
  const Device device(WEFT_EACH_DEVICE);
  const Device other_device("interp");
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(20);
  auto foreign = other_device.create_buffer<float>(10);
  GraphBuilder recording = device.create_graph();
  const BufferView<float> in = recording.input<float>(10, "in");
  const BufferView<float> out = recording.input<float>(10, "out");
  const BufferView<float> transient = recording.transient<float>(10);
  const GraphUniform<float> factor = recording.uniform<float>("factor");
  recording.add(scale(in, transient, factor).dispatch(10));
  recording.add(out.copy_from(transient));
  const Graph graph = recording.instantiate({.name = "g"});
  const BufferView<float> low = buffer.subview(0, 10);
  const BufferView<float> high = buffer.subview(10, 10);
  const auto launch = [&](std::vector<GraphBinding> bindings) {
    return mistake([&] { (void)graph.launch(bindings); });
  };
  CHECK(launch({{in, low}, {factor, 1.0F}}) == "a launch of graph 'g' does not bind input 'out' of 10 f32");
  CHECK(launch({{in, low}, {out, high}}) == "a launch of graph 'g' does not bind uniform 'factor'");
  CHECK(launch({{in, low}, {in, high}}) == "a launch of graph 'g' binds input 'in' of 10 f32 twice");
  CHECK(launch({{factor, 1.0F}, {factor, 2.0F}}) == "a launch of graph 'g' binds uniform 'factor' twice");
  CHECK_THAT(launch({{transient, low}}), Contains("binds what is no input of it"));
  CHECK_THAT(launch({{low, low}}), Contains("binds what is no input of it"));
  CHECK_THAT(launch({{BufferView<float>(), low}}), Contains("binds what is no input of it"));
  const GraphUniform<float> unknown = device.create_graph().uniform<float>("unknown");
  CHECK_THAT(launch({{unknown, 1.0F}}), Contains("gives a value for what is no uniform of it"));
  const GraphUniform<float> later = recording.uniform<float>("later");
  CHECK_THAT(launch({{later, 1.0F}}), Contains("gives a value for what is no uniform of it"));
  CHECK_THAT(launch({{in, buffer.subview(0, 9)}}), Contains("(40 bytes) is bound to a view of 36 bytes"));
  CHECK_THAT(launch({{in.subview(0, 9), buffer.subview(0, 9)}}), Contains("is bound in part"));
  CHECK_THAT(launch({{in, foreign.view()}}), Contains("belongs to device interp #"));
  CHECK_THAT(launch({{in, out}}), Contains("only commands of that graph may"));
  CHECK_THAT(launch({{in, low}, {out, buffer.subview(5, 10)}, {factor, 1.0F}}),
             Contains("binds input 'in' of 10 f32 to bytes that are also those of input 'out' of 10 f32"));
  BufferView<float> dead;
  {
    auto gone = device.create_buffer<float>(10);
    dead = gone;
  }
  CHECK_THAT(launch({{in, dead}}), Contains("that was destroyed before"));
  CHECK_THAT(mistake([] { (void)Graph().launch(); }), Contains("never made"));
}

TEST_CASE("graph mistakes: an input that is bound to what a node names itself") {
  const Device device(WEFT_EACH_DEVICE);
  auto buffer = device.create_buffer<float>(20);
  GraphBuilder recording = device.create_graph();
  const BufferView<float> input = recording.input<float>(10, "input");
  recording.add(buffer.subview(0, 10).copy_from(input));
  const Graph graph = recording.instantiate();
  CHECK_THAT(mistake([&] { (void)graph.launch({{input, buffer.subview(5, 10)}}); }),
             Contains("also those of buffer of 20 f32"));
  CHECK_NOTHROW(graph.launch({{input, buffer.subview(10, 10)}}));
}

TEST_CASE("graph mistakes: a budget that cannot be met is told with what there is to know") {
  const Device device(WEFT_EACH_DEVICE);
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(64);
  GraphBuilder recording = device.create_graph();
  for (int i = 0; i < 4; ++i) {
    const BufferView<float> transient = recording.transient<float>(16);
    recording.add(transient.fill(1.0F));
    recording.add(buffer.subview(16 * static_cast<std::uint64_t>(i), 16).copy_from(transient));
  }
  CHECK(mistake([&] { (void)recording.instantiate({.name = "tight", .budget_bytes = 63}); }) ==
        "the transients of graph 'tight' do not fit into a budget of 63 bytes: they take 64 with one node after the "
        "other, "
        "256 as ordered, 256 in slots of their own");
  const Graph graph = recording.instantiate({.budget_bytes = 128});
  CHECK(graph.statistics().transient_bytes <= 128);
  CHECK(graph.statistics().added_edges > 0);
}
