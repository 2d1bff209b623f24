// Kernels whose frames outgrow the arena's buffer: large local arrays that live across barriers must keep every lane's
// values at any pack width, compiled or loaded from an object, with little or much optimisation.
#include "backend/shader_file.h"
#include "codegen/jit/compile.h"
#include "runtime/frame_arena.h"
#include "runtime/support/files.h"
#include "tests/support/temporary_folder.h"

#include <weft/weft.h>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>

using namespace weft;

namespace {

constexpr std::uint32_t kBlocks = 3;
constexpr std::uint32_t kOutputs = 4;  // words that each lane writes

// What a lane's array holds at first.
template <typename Index, typename Lane, typename Seed>
auto element(const Index& i, const Lane& lane, const Seed& seed) {
  return (i * 2654435761U) ^ (lane * 40503U + seed);
}

// A local array that crosses two barriers and is changed between them.
template <std::size_t kCount>
auto live_array(std::uint32_t lanes) {
  return Kernel1D{"live_array", block_size(lanes), names("out", "seed"), [](BufferVar<uint> out, UInt seed) {
                    Var<std::array<uint, kCount>> data;
                    UInt lane = dispatch_id().x;
                    $for(i, std::uint32_t{kCount}) { data[i] = element(i, lane, seed); };
                    sync_block();
                    UInt first = 0u;
                    $for(i, std::uint32_t{kCount}) {
                      first += data[i];
                      data[i] = data[i] + i;
                    };
                    sync_block();
                    UInt second = 0u;
                    $for(i, std::uint32_t{kCount}) { second += data[i]; };
                    out.write(lane * kOutputs, first);
                    out.write(lane * kOutputs + 1u, second);
                    out.write(lane * kOutputs + 2u, data[lane % std::uint32_t{kCount}]);
                    out.write(lane * kOutputs + 3u, data[std::uint32_t{kCount - 1}]);
                  }};
}

std::vector<std::uint32_t> expected_live_array(std::uint32_t count, std::uint32_t lanes, std::uint32_t seed) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      first += element(i, lane, seed);
      second += element(i, lane, seed) + i;
    }
    const std::uint32_t chosen = lane % count;
    words.insert(words.end(),
                 {first, second, element(chosen, lane, seed) + chosen, element(count - 1, lane, seed) + count - 1});
  }
  return words;
}

// One array that lives across a barrier, in the frame, and one that does not, beside it.
auto inside_and_beside() {
  return Kernel1D{"inside_and_beside", block_size(64), [](BufferVar<uint> out, UInt seed) {
                    UInt lane = dispatch_id().x;
                    Var<std::array<uint, 9216>> inside;
                    $for(i, 9216u) { inside[i] = element(i, lane, seed); };
                    sync_block();
                    UInt sum = 0u;
                    $for(round, 2u) {
                      Var<std::array<uint, 4096>> beside;
                      $for(i, 4096u) { beside[i] = inside[i * 2u] + round; };
                      $for(i, 4096u) { sum += beside[4095u - i] * (i + 1u); };
                    };
                    sync_block();
                    $for(i, 9216u) { sum += inside[i]; };
                    out.write(lane, sum);
                  }};
}

std::uint32_t expected_inside_and_beside(std::uint32_t lane, std::uint32_t seed) {
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 4096; ++i) sum += (element((4095 - i) * 2, lane, seed) + round) * (i + 1);
  }
  for (std::uint32_t i = 0; i < 9216; ++i) sum += element(i, lane, seed);
  return sum;
}

// 1,200 small locals, 4.8 KB a lane, that live across a barrier. They are read from a buffer, so that nobody computes
// them anew instead of keeping them.
constexpr std::uint32_t kSmallLocals = 1200;
auto small_locals() {
  return Kernel1D{"small_locals", block_size(1024), [](BufferVar<uint> in, BufferVar<uint> out) {
                    UInt lane = thread_id().x;
                    std::deque<Var<uint>> locals;
                    for (std::uint32_t i = 0; i < kSmallLocals; ++i) locals.emplace_back(in.read(lane + i));
                    sync_block();
                    in.write(lane, 0u);
                    sync_block();
                    UInt sum = 0u;
                    for (std::uint32_t i = 0; i < kSmallLocals; ++i) sum += locals[i] * (i + 1u);
                    out.write(lane, sum);
                  }};
}

struct Setting {
  std::uint32_t width;
  MathMode math;
  Effort effort;

  ShaderOptions shader() const {
    ShaderOptions options;
    options.width = width;
    options.math = math;
    options.effort = effort;
    return options;
  }
  jit::CompileOptions object() const {
    jit::CompileOptions options;
    options.width = width;
    options.math = static_cast<ir::MathMode>(math);
    options.effort = static_cast<jit::Effort>(effort);
    return options;
  }
};

// The kernel's object, as it is kept between processes.
template <typename Kernel>
jit::ObjectCode object_of(const Kernel& kernel, const Setting& setting) {
  auto object = jit::compile(*kernel.module(), setting.object());
  REQUIRE(object);
  return *object;
}

DynamicShader load_object(const Device& device, const jit::ObjectCode& object) {
  const test::TemporaryFolder folder("coro");
  const auto target = jit::resolve_target("native");
  REQUIRE(target);
  const backend::ShaderFile file{"test", "kernel", target->cpu, target->features, object.bytes};
  write_file(folder / "kernel.shader", backend::write_shader_file(file));
  return device.load_shader(folder / "kernel.shader");
}

template <typename T>
std::vector<T> download(Stream& stream, const BufferView<T>& view) {
  std::vector<T> values(view.size());
  stream << view.download(values) << synchronize();
  return values;
}

// Three dispatches with changing uniforms.
template <typename AnyShader>
void check_dispatches(const Device& device, Stream& stream, const AnyShader& shader, std::uint32_t count,
                      std::uint32_t lanes) {
  auto out = device.create_buffer<std::uint32_t>(std::uint64_t{lanes} * kBlocks * kOutputs);
  for (const std::uint32_t seed : {1U, 77U, 0xFFFFFFF0U}) {
    stream << out.fill(0) << shader(out, seed).dispatch_blocks(kBlocks);
    CHECK(download(stream, out.view()) == expected_live_array(count, lanes * kBlocks, seed));
  }
}

template <std::size_t kCount>
void check_live_array(const Device& device, Stream& stream, std::uint32_t lanes, const Setting& setting) {
  INFO(kCount << " words, " << lanes << " lanes");
  const auto kernel = live_array<kCount>(lanes);
  check_dispatches(device, stream, device.compile(kernel, setting.shader()), kCount, lanes);
  check_dispatches(device, stream, load_object(device, object_of(kernel, setting)), kCount, lanes);
}

Setting any_setting() {
  const std::uint32_t width = GENERATE(1U, 8U, 16U, 32U);
  const MathMode math = GENERATE(MathMode::strict, MathMode::fast);
  const Effort effort = GENERATE(Effort::full, Effort::minimal);
  return {width, math, effort};
}

std::string describe(const Setting& setting) {
  return fmt::format("width {}, {} math, {} effort", setting.width, setting.math == MathMode::fast ? "fast" : "strict",
                     setting.effort == Effort::full ? "full" : "minimal");
}

}  // namespace

TEST_CASE("large arrays that live across two barriers keep all lanes' values") {
  const Setting setting = any_setting();
  INFO(describe(setting));
  const Device device("cpu");
  Stream stream = device.create_stream();
  check_live_array<256>(device, stream, 64, setting);  // the control fits the arena's buffer
  check_live_array<9216>(device, stream, 64, setting);
  check_live_array<9216>(device, stream, 128, setting);
  check_live_array<18432>(device, stream, 64, setting);
  check_live_array<18432>(device, stream, 128, setting);
  check_live_array<256>(device, stream, 64, setting);
}

TEST_CASE("arrays inside the frame and beside it do not overlap") {
  const Setting setting = any_setting();
  INFO(describe(setting));
  const Device device("cpu");
  Stream stream = device.create_stream();
  const Shader shader = device.compile(inside_and_beside(), setting.shader());
  auto out = device.create_buffer<std::uint32_t>(64 * kBlocks);
  stream << shader(out, 5U).dispatch_blocks(kBlocks);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t lane = 0; lane < 64 * kBlocks; ++lane) expected.push_back(expected_inside_and_beside(lane, 5));
  CHECK(download(stream, out.view()) == expected);
}

TEST_CASE("1,024 lanes of 4.8 KB in small locals keep their values one coroutine per lane") {
  const Setting setting{1, MathMode::strict, GENERATE(Effort::full, Effort::minimal)};
  const Device device("cpu");
  Stream stream = device.create_stream();
  const jit::ObjectCode object = object_of(small_locals(), setting);
  const auto loaded = jit::load(object.bytes, "small_locals");
  REQUIRE(loaded);
  CHECK((*loaded)->info().frame_bytes >= kSmallLocals * sizeof(std::uint32_t));
  CHECK((*loaded)->info().frame_bytes * 1024 > runtime::FrameArena::kBufferBytes);

  std::vector<std::uint32_t> input(1024 + kSmallLocals);
  for (std::uint32_t i = 0; i < input.size(); ++i) input[i] = i * i * 31 + 7;
  auto in = device.create_buffer<std::uint32_t>(input.size());
  auto out = device.create_buffer<std::uint32_t>(1024);
  stream << in.upload(input) << load_object(device, object)(in, out).dispatch(1024);
  std::vector<std::uint32_t> expected(1024);
  for (std::uint32_t lane = 0; lane < 1024; ++lane) {
    for (std::uint32_t i = 0; i < kSmallLocals; ++i) expected[lane] += input[lane + i] * (i + 1);
  }
  CHECK(download(stream, out.view()) == expected);
}

TEST_CASE("without overflow chunks the case that needs them faults, and the next dispatch succeeds") {
  const Setting setting{GENERATE(1U, 8U, 16U, 32U), MathMode::strict, Effort::full};
  const Device device("cpu");
  Stream stream = device.create_stream();
  const Shader large = device.compile(live_array<18432>(64), setting.shader());
  const Shader control = device.compile(live_array<256>(64), setting.shader());
  auto out = device.create_buffer<std::uint32_t>(64 * kBlocks * kOutputs);
  device.trim();
  runtime::set_arena_limit_bytes(0);
  stream << large(out, 1U).dispatch_blocks(kBlocks);
  CHECK_THROWS_AS(stream.synchronize(), KernelFault);
  check_dispatches(device, stream, control, 256, 64);
  runtime::set_arena_limit_bytes(runtime::kNoArenaLimit);
  check_dispatches(device, stream, large, 18432, 64);
}

TEST_CASE("one coroutine per lane: 64 lanes have 64 live frames") {
  std::vector<std::string> messages;
  set_log_level(LogLevel::debug);
  set_log_sink([&](LogLevel, std::string_view text) { messages.emplace_back(text); });
  const Setting setting{1, MathMode::strict, Effort::full};
  const Device device("cpu");
  Stream stream = device.create_stream();
  auto out = device.create_buffer<std::uint32_t>(64 * kOutputs);
  stream << device.compile(live_array<256>(64), setting.shader())(out, 1U).dispatch(64) << synchronize();
  set_log_sink({});
  set_log_level(LogLevel::warn);
  const bool has_frames =
      std::ranges::any_of(messages, [](const std::string& text) { return text.ends_with(" bytes, 64 frames"); });
  CHECK(has_frames);
}
