// Graphs: order, launches with other values and buffers, transients.
#include <weft/dsl.h>
#include <weft/graph.h>

#include "tests/unit/backend/devices.h"

#include <atomic>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

// out[i] += in[i]
constexpr const char* kAdd = R"(weft 1
kernel @add(%in: buffer<f32>, %out: buffer<f32>) block(64) {
  %x = read %in[dispatch_id.x]
  %y = read %out[dispatch_id.x]
  %z = add %x, %y
  write %out[dispatch_id.x], %z
}
)";

}  // namespace

TEST_CASE("graph: nodes follow what they touch, in every launch") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto in = device.create_buffer<float>(100);
  auto out = device.create_buffer<float>(100);
  GraphBuilder recording = device.create_graph();
  const BufferView<float> half_way = recording.transient<float>(100);
  recording.add(scale(in, half_way, 2.0F).dispatch(100));
  recording.add(scale(half_way, out, 3.0F).dispatch(100));
  recording.add(in.copy_from(out));
  const Graph graph = recording.instantiate();
  stream << in.fill(1.0F) << graph.launch() << graph.launch() << graph.launch();
  CHECK(download(stream, out.view()) == std::vector<float>(100, 216.0F));
}

TEST_CASE("graph: each launch has its own values and buffers") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  GraphBuilder recording = device.create_graph();
  const BufferView<float> in = recording.input<float>(10, "in");
  const BufferView<float> out = recording.input<float>(10, "out");
  const GraphUniform<float> factor = recording.uniform<float>("factor");
  const GraphUniform<float> second = recording.uniform<float>("second", 10.0F);
  const BufferView<float> half_way = recording.transient<float>(10);
  recording.add(scale(in, half_way, factor).dispatch(10));
  recording.add(scale(half_way.subview(5, 5), out.subview(0, 5), second).dispatch(5));
  recording.add(out.subview(5, 5).copy_from(half_way.subview(0, 5)));
  const Graph graph = recording.instantiate();
  std::vector<Buffer<float>> results;
  auto data = device.create_buffer<float>(20);
  stream << data.subview(0, 10).fill(1.0F) << data.subview(10, 10).fill(7.0F);
  for (int i = 0; i < 4; ++i) {
    results.push_back(device.create_buffer<float>(10));
    const float value = static_cast<float>(i);
    const BufferView<float> source = data.subview(i % 2 == 0 ? 0 : 10, 10);
    if (i < 2) {
      stream << graph.launch({{factor, value}, {in, source}, {out, results.back()}});
    } else {
      stream << graph.launch({{second, 1.0F}, {out, results.back()}, {factor, value}, {in, source}});
    }
  }
  const auto expected = [](float first, float rest) {
    std::vector<float> values(5, first);
    values.resize(10, rest);
    return values;
  };
  CHECK(download(stream, results[0].view()) == expected(0, 0));
  CHECK(download(stream, results[1].view()) == expected(70, 7));
  CHECK(download(stream, results[2].view()) == expected(2, 2));
  CHECK(download(stream, results[3].view()) == expected(21, 21));
}

TEST_CASE("graph: shaders of the DSL take uniforms, too") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Shader set = device.compile(Kernel1D{"set", block_size(8), [](BufferVar<float> out, Float value, Float3 other) {
                                               out.write(dispatch_id().x, value + other.y);
                                             }});
  auto out = device.create_buffer<float>(8);
  GraphBuilder recording = device.create_graph();
  const GraphUniform<float> value = recording.uniform<float>("value", 1.0F);
  recording.add(set(out, value, float3{0, 2, 0}).dispatch(8));
  const Graph graph = recording.instantiate();
  stream << graph.launch({{value, 3}});
  CHECK(download(stream, out.view()) == std::vector<float>(8, 5.0F));
  stream << graph.launch();
  CHECK(download(stream, out.view()) == std::vector<float>(8, 3.0F));
}

TEST_CASE("graph: to its stream a launch is one command") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(4);
  std::vector<int> seen(4, -1);
  std::atomic<int> calls{0};
  std::atomic<int> wrong{0};
  GraphBuilder recording = device.create_graph(GraphOrder::given);
  for (int i = 0; i < 8; ++i) {
    recording.add(host_callback([&] {
      wrong += calls++ < 100 ? 1 : 0;
      std::this_thread::yield();
    }));
  }
  recording.add(buffer.fill(3));
  const Graph graph = recording.instantiate();
  stream << host_callback([&] { calls = 100; }) << graph.launch()
         << host_callback([&] { wrong += calls == 108 ? 0 : 1; }) << buffer.download(seen) << synchronize();
  CHECK(wrong == 0);
  CHECK(seen == std::vector<int>(4, 3));
}

TEST_CASE("graph: a given order is kept, and nothing else is ordered") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<int> order;
  GraphBuilder recording = device.create_graph(GraphOrder::given);
  const GraphNode last = recording.add(host_callback([&] { order.push_back(3); }));
  const GraphNode first = recording.add(host_callback([&] { order.push_back(1); }));
  const GraphNode second = recording.add(host_callback([&] { order.push_back(2); }), {first});
  recording.order(second, last);
  const GraphNode all = recording.join(std::vector{first, second, last});
  recording.add(host_callback([&] { order.push_back(4); }), {all});
  const Graph graph = recording.instantiate();
  stream << graph.launch() << graph.launch() << synchronize();
  CHECK(order == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(graph.statistics().nodes == 5);
  CHECK(graph.statistics().levels == 5);
}

TEST_CASE("graph: transients that are never needed at once share memory") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(1000);
  GraphBuilder recording = device.create_graph();
  BufferView<float> before = buffer;
  for (int i = 0; i < 10; ++i) {
    const BufferView<float> next = recording.transient<float>(1000);
    recording.add(scale(before, next, 2.0F).dispatch(1000));
    before = next;
  }
  recording.add(buffer.copy_from(before));
  const MemoryEstimates estimates = recording.memory_estimates();
  CHECK(estimates.private_bytes >= 40'000);
  CHECK(estimates.aliased_bytes <= 8'064);
  CHECK(estimates.serial_bytes == estimates.aliased_bytes);
  const Graph graph = recording.instantiate({.checked = GENERATE(false, true)});
  CHECK(graph.statistics().transient_bytes == estimates.aliased_bytes);
  stream << buffer.fill(1.0F) << graph.launch();
  CHECK(download(stream, buffer.view()) == std::vector<float>(1000, 1024.0F));
}

TEST_CASE("graph: transients start zeroed if they are to") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader add = device.compile_text(kAdd);
  auto in = device.create_buffer<float>(64);
  auto out = device.create_buffer<float>(64);
  GraphBuilder recording = device.create_graph();
  const BufferView<float> garbage = recording.transient<float>(64);
  const BufferView<float> sum = recording.transient<float>(64, {.name = "sum", .zeroed = true});
  recording.add(garbage.fill(5.0F));
  recording.add(in.copy_from(garbage));
  recording.add(add(in, sum).dispatch(64));
  recording.add(add(in, sum).dispatch(64));
  recording.add(out.copy_from(sum));
  const Graph graph = recording.instantiate();
  CHECK(graph.statistics().nodes == 6);
  CHECK(graph.statistics().transient_bytes == 256);
  stream << graph.launch() << graph.launch();
  CHECK(download(stream, out.view()) == std::vector<float>(64, 10.0F));
}

TEST_CASE("graph: host memory and sizes that are read from buffers are ordered, too") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  std::vector<uint3> size{{0, 0, 0}};
  std::vector<uint3> wanted{{70, 1, 1}};
  auto source = device.create_buffer<uint3>(1);
  GraphBuilder recording = device.create_graph();
  const BufferView<uint3> transient = recording.transient<uint3>(1);
  recording.add(source.upload(std::span(wanted)));
  recording.add(source.download(size));
  recording.add(transient.upload(std::span(size)));
  recording.add(count(sum).dispatch_indirect(transient, {100, 1, 1}));
  recording.add(count(sum).dispatch(0));  // nothing, and yet a node
  const Graph graph = recording.instantiate();
  CHECK(graph.statistics().nodes == 5);
  stream << sum.fill(0) << graph.launch() << graph.launch();
  CHECK(download(stream, sum.view()) == std::vector<std::uint32_t>{140});
}

TEST_CASE("graph: more may be recorded after a graph was made, and does not change it") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(1);
  GraphBuilder recording = device.create_graph();
  recording.add(buffer.fill(1));
  const Graph first = recording.instantiate();
  recording.add(buffer.fill(2));
  const Graph second = recording.instantiate();
  stream << second.launch();
  CHECK(download(stream, buffer.view()) == std::vector<int>{2});
  stream << first.launch();
  CHECK(download(stream, buffer.view()) == std::vector<int>{1});
}

TEST_CASE("graph: functions of the host keep their place where the order is inferred") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<int> values(1, 0);
  std::vector<int> seen;
  auto buffer = device.create_buffer<int>(1);
  GraphBuilder recording = device.create_graph();
  for (int i = 1; i <= 3; ++i) {
    recording.add(buffer.fill(i));
    recording.add(buffer.download(values));
    recording.add(host_callback([&] { seen.push_back(values[0]); }));
  }
  stream << recording.instantiate().launch() << synchronize();
  CHECK(seen == std::vector<int>{1, 2, 3});
}
