// usage: application sample | all
// Opens the sample backend and does with it what one does with a device; with `all` the modules that are wrong too.
#include <weft/weft.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace weft;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

// The action must throw an E whose message has `part` in it.
template <typename E>
void require_error(const std::function<void()>& action, const std::string& part) {
  std::string message = "no exception";
  try {
    action();
  } catch (const E& error) {
    message = error.what();
  }
  if (message.find(part) != std::string::npos) return;
  std::printf("failed: expected an error with '%s', found: %s\n", part.c_str(), message.c_str());
  std::exit(1);
}

constexpr const char* kOther = "weft 1\nkernel @other(%out: buffer<u32>) block(1) { }\n";

void use_sample() {
  std::vector<std::string> messages;
  set_log_level(LogLevel::info);
  const Device device("sample", {.log = [&](LogLevel, std::string_view text) { messages.emplace_back(text); }});
  Stream stream = device.create_stream();
  const Kernel1D scaled_ids{"scaled_ids", block_size(64), [](BufferVar<uint> out, UInt factor) {
                              out.write(dispatch_id().x, dispatch_id().x * factor);
                            }};
  const Shader shader = device.compile(scaled_ids);
  require(messages == std::vector<std::string>{"the sample compiles"}, "the sample's log comes to the device's sink");
  auto out = device.create_buffer<uint>(8);
  auto copy = device.create_buffer<uint>(8);
  std::vector<uint> values(8);
  bool called = false;
  stream << out.fill(7u) << out.subview(6, 2).upload({70, 71}) << shader(out, 3u).dispatch(5) << copy.copy_from(out)
         << host_callback([&] { called = true; }) << copy.download(values) << synchronize();
  require(values == std::vector<uint>{0, 3, 6, 9, 12, 7, 70, 71}, "commands run in order");
  require(called, "host callbacks run");

  Event event = device.create_event();
  stream.set_profiling(true);
  stream << event.wait(0) << out.fill(1u) << event.signal(1ULL << 33);
  require(event.host_wait(1ULL << 33, std::chrono::nanoseconds(0)), "streams signal events");
  require(!event.host_wait((1ULL << 33) + 1, std::chrono::nanoseconds(0)), "waits may time out");
  const std::vector<CommandProfile> profiles = stream.take_profiles();
  require(profiles.size() == 3 && profiles[1].command == "fill of 8 u32" && profiles[1].run.count() == 2,
          "commands are profiled");
  require_error<UsageError>([&] { stream << event.wait(UINT64_MAX); }, "the sample cannot wait");

  GraphBuilder recording = device.create_graph();
  const GraphUniform<uint> factor = recording.uniform<uint>("factor");
  const BufferView<uint> half_way = recording.transient<uint>(8);
  recording.add(shader(half_way, factor).dispatch(8));
  recording.add(copy.copy_from(half_way));
  const Graph graph = recording.instantiate();
  stream << graph.launch({{factor, 5u}}) << copy.download(values);
  require(values == std::vector<uint>{0, 5, 10, 15, 20, 25, 30, 35}, "graphs run");

  stream << shader(out, 1u).dispatch_blocks(1).on_progress([](std::uint64_t, std::uint64_t) { return false; });
  require_error<DispatchCancelled>([&] { stream.synchronize(); }, "the sample was cancelled");
  stream << synchronize();
  require_error<CompileError>([&] { (void)device.compile_text(kOther); },
                              "the sample runs the kernel 'scaled_ids' alone");
  const Device cpu("cpu");
  Stream elsewhere = cpu.create_stream();
  require_error<UsageError>([&] { elsewhere << out.fill(1u); }, "belongs to device sample #");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "sample";
  const std::vector<std::string> names = Device::available();
  require(std::ranges::count(names, "sample") == 1, "the sample is among the devices");
  use_sample();
  if (which == "all") {
    require_error<DeviceError>([] { Device("later"); }, "has interface version 99, this Weft has version 4");
    require_error<DeviceError>([] { Device("renamed"); }, "calls itself 'sample', expected 'renamed'");
    require_error<DeviceError>([] { Device("empty"); }, "it exports no function weft_backend");
    require_error<DeviceError>([] { Device("broken"); }, "does not load");
    require_error<DeviceError>([] { Device("none"); }, "there is no device 'none'; there are: cpu, interp, broken, ");
  }
  std::printf("%s: good\n", which.c_str());
  return 0;
}
