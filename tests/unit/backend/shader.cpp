// Shaders: arguments, sizes, options.
#include "tests/unit/backend/devices.h"

#include <array>
#include <bit>
#include <cstring>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

// A value of every kind, stored to a buffer of bytes.
constexpr const char* kValues = R"(weft 1
struct Pair size 8 align 4 { first: i16 @0, second: f32 @4 }
kernel @values(%out: byte_buffer, %flag: bool, %small: u8, %big: f64, %triple: vec<f32, 3>, %pair: Pair) block(1) {
  byte_write %out[0], %flag
  byte_write %out[1], %small
  byte_write %out[2], %big
  byte_write %out[10], %triple
  byte_write %out[22], %pair.first
  byte_write %out[24], %pair.second
}
)";

constexpr const char* kIds = R"(weft 1
kernel @ids(%out: buffer<vec<u32, 4>>) block(5, 3, 2) {
  %w = dispatch_size.x
  %h = dispatch_size.y
  %row = mul dispatch_id.y, %w
  %slice = mul %w, %h
  %deep = mul dispatch_id.z, %slice
  %in_plane = add dispatch_id.x, %row
  %i = add %in_plane, %deep
  %v = make vec<u32, 4> block_id.x, block_id.y, block_id.z, thread_id.x
  write %out[%i], %v
}
)";

constexpr const char* kSpecialised = R"(weft 1
spec @step: u32 = 3 id(7)
spec @scale: f32 = 0.5 id(1)
kernel @fill(%out: buffer<f32>) block(8) {
  %n = cast f32 dispatch_id.x
  %step = spec @step
  %s = cast f32 %step
  %x = mul %n, %s
  %scale = spec @scale
  %y = mul %x, %scale
  write %out[dispatch_id.x], %y
}
)";

struct Pair {
  std::int16_t first;
  float second;
};

std::vector<std::uint32_t> flat(const std::vector<uint4>& values) {
  std::vector<std::uint32_t> out;
  for (const uint4& v : values) out.insert(out.end(), {v.x, v.y, v.z, v.w});
  return out;
}

}  // namespace

TEST_CASE("shader: arguments by position and by name") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto in = device.create_buffer<float>(4);
  auto out = device.create_buffer<float>(4);
  stream << in.upload({1, 2, 3, 4}) << scale(in, out, 3.0F).dispatch(4);
  CHECK(download(stream, out.view()) == std::vector<float>{3, 6, 9, 12});
  stream << scale({{"factor", 0.5F}, {"out", out}, {"in", in}}).dispatch(4);
  CHECK(download(stream, out.view()) == std::vector<float>{0.5F, 1, 1.5F, 2});
}

TEST_CASE("shader: views are bound from their first element to their last") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(8);
  stream << buffer.upload({1, 2, 3, 4, 5, 6, 7, 8})
         << scale(buffer.subview(0, 3), buffer.subview(4, 2), 10.0F).dispatch(8);
  CHECK(download(stream, buffer.view()) == std::vector<float>{1, 2, 3, 4, 10, 20, 7, 8});
}

TEST_CASE("shader: values of every kind arrive as they are in memory") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader values = device.compile_text(kValues);
  ByteBuffer out = device.create_byte_buffer(28);
  stream << values(out, true, std::uint8_t{200}, 1.5, float3(1, 2, 3), Pair{-5, 2.5F}).dispatch(1);
  const std::vector<std::byte> bytes = download(stream, out.view());
  const auto at = [&]<typename T>(std::size_t offset, T value) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  };
  CHECK(bytes[0] == std::byte{1});
  CHECK(bytes[1] == std::byte{200});
  CHECK(at(2, 0.0) == 1.5);
  CHECK(at(10, float3()) == float3(1, 2, 3));
  CHECK(at(22, std::int16_t{}) == -5);
  CHECK(at(24, 0.0F) == 2.5F);
}

TEST_CASE("shader: lanes beyond the dispatch stay off, in three dimensions") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader ids = device.compile_text(kIds);
  auto out = device.create_buffer<uint4>(7 * 4 * 3 + 1);
  stream << out.fill(uint4(99)) << ids(out).dispatch(7, 4, 3);
  const std::vector<uint4> found = download(stream, out.view());
  std::vector<uint4> expected;
  for (unsigned z = 0; z < 3; ++z) {
    for (unsigned y = 0; y < 4; ++y) {
      for (unsigned x = 0; x < 7; ++x) expected.emplace_back(x / 5, y / 3, z / 2, x % 5);
    }
  }
  expected.emplace_back(99);
  CHECK(flat(found) == flat(expected));
}

TEST_CASE("shader: a size in blocks counts whole blocks") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0) << count(sum).dispatch_blocks(3, 2, 1);
  CHECK(download(stream, sum.view())[0] == 192);
}

TEST_CASE("shader: a size of zero in any dimension does nothing") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0) << count(sum).dispatch(0) << count(sum).dispatch(5, 0) << count(sum).dispatch(5, 5, 0)
         << count(sum).dispatch_blocks(0) << count(sum).dispatch_blocks(1, 0) << count(sum).dispatch_blocks(1, 1, 0);
  CHECK(download(stream, sum.view())[0] == 0);
}

TEST_CASE("shader: a size that is too large is an error before anything runs") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  CHECK(message_of<UsageError>([&] { (void)count(sum).dispatch(std::uint64_t{1} << 32); }) ==
        "dispatch of kernel 'count' over (4294967296, 1, 1) lanes: each dimension must be below 2^32");
  CHECK_THAT(message_of<UsageError>([&] { stream << count(sum).dispatch(4294967295, 4294967295, 4294967295); }),
             StartsWith("dispatch of kernel 'count': "));
  CHECK_THAT(message_of<UsageError>([&] { stream << count(sum).dispatch_blocks(4294967295, 4294967295); }),
             StartsWith("dispatch of kernel 'count': "));
}

TEST_CASE("shader: wrong arguments are errors naming both sides") {
  const Device device(WEFT_EACH_DEVICE);
  const DynamicShader scale = device.compile_text(kScale);
  auto floats = device.create_buffer<float>(4);
  auto ints = device.create_buffer<int>(4);
  auto doubles = device.create_buffer<double>(4);
  ByteBuffer bytes = device.create_byte_buffer(16);
  const std::string signature = "kernel 'scale' (in: buffer<f32>, out: buffer<f32>, factor: f32)";
  CHECK(message_of<UsageError>([&] { (void)scale(floats, floats); }) ==
        signature + " takes 3 arguments; it was given 2");
  CHECK(message_of<UsageError>([&] { (void)scale(floats, ints, 1.0F); }) ==
        "argument 2 ('out') of kernel 'scale' is a buffer of f32 (4 bytes); it was given a buffer of i32 (4 bytes)");
  CHECK(message_of<UsageError>([&] { (void)scale(doubles, floats, 1.0F); }) ==
        "argument 1 ('in') of kernel 'scale' is a buffer of f32 (4 bytes); it was given a buffer of f64 (8 bytes)");
  CHECK(message_of<UsageError>([&] { (void)scale(floats, bytes, 1.0F); }) ==
        "argument 2 ('out') of kernel 'scale' is a buffer of f32 (4 bytes); it was given a buffer of byte (1 bytes)");
  CHECK(message_of<UsageError>([&] { (void)scale(floats, floats, floats); }) ==
        "argument 3 ('factor') of kernel 'scale' is a value of f32 (4 bytes); it was given a buffer of f32 (4 bytes)");
  CHECK(message_of<UsageError>([&] { (void)scale(floats, floats, 1); }) ==
        "argument 3 ('factor') of kernel 'scale' is a value of f32 (4 bytes); it was given a value of i32 (4 bytes)");
  CHECK(message_of<UsageError>([&] { (void)scale({{"in", floats}, {"out", floats}}); }) ==
        signature + " is called without argument 'factor'");
  CHECK(message_of<UsageError>([&] { (void)scale({{"in", floats}, {"in", floats}}); }) ==
        "argument 'in' of kernel 'scale' is given twice");
  CHECK(message_of<UsageError>([&] { (void)scale({{"input", floats}}); }) == signature + " has no argument 'input'");
  CHECK(message_of<UsageError>([&] { (void)DynamicShader()(floats); }) ==
        "a shader is called that was never compiled, or was moved from");
}

TEST_CASE("shader: a buffer of another device is an error naming both devices") {
  const Device here(WEFT_EACH_DEVICE);
  const Device there("interp");
  const DynamicShader count = here.compile_text(kCount);
  auto sum = there.create_buffer<std::uint32_t>(1);
  CHECK_THAT(message_of<UsageError>([&] { (void)count(sum); }),
             StartsWith("argument 1 ('sum') of kernel 'count' belongs to device interp #") &&
                 Contains(", the shader to device " + here.name() + " #"));
}

TEST_CASE("shader: restrict arguments that overlap are an error naming both") {
  const Device device(WEFT_EACH_DEVICE);
  const DynamicShader copy = device.compile_text(R"(weft 1
kernel @copy(%in: buffer<f32>, %out: restrict buffer<f32>) block(8) {
  %x = read %in[dispatch_id.x]
  write %out[dispatch_id.x], %x
}
)");
  auto buffer = device.create_buffer<float>(8);
  CHECK(message_of<UsageError>([&] { (void)copy(buffer.subview(0, 5), buffer.subview(4, 4)); }) ==
        "argument 2 ('out') of kernel 'copy' is declared restrict, yet overlaps argument 1 ('in')");
  CHECK_NOTHROW(copy(buffer.subview(0, 4), buffer.subview(4, 4)));
}

TEST_CASE("shader: specialisation constants have their defaults, or what the options say") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto out = device.create_buffer<float>(4);
  stream << device.compile_text(kSpecialised)(out).dispatch(4);
  CHECK(download(stream, out.view()) == std::vector<float>{0, 1.5F, 3, 4.5F});
  ShaderOptions options;
  options.specs = {{7, 10}, {1, std::bit_cast<std::uint32_t>(2.0F)}};
  stream << device.compile_text(kSpecialised, options)(out).dispatch(4);
  CHECK(download(stream, out.view()) == std::vector<float>{0, 20, 40, 60});
  options.specs = {{8, 1}};
  CHECK_THAT(message_of<CompileError>([&] { (void)device.compile_text(kSpecialised, options); }),
             Contains("no specialisation constant has the id 8"));
}

TEST_CASE("shader: broken text gives every error with line and caret") {
  const Device device(WEFT_EACH_DEVICE);
  const std::string message = message_of<CompileError>([&] {
    (void)device.compile_text("weft 1\nkernel @k(%out: buffer<f32>) block(1) {\n  write %out[0], %x\n  nonsense\n}\n",
                              {}, {}, "broken.weft");
  });
  CHECK_THAT(message,
             Contains("broken.weft:3:18: error: ") && Contains("    3 |   write %out[0], %x") && Contains("2 errors"));
}

TEST_CASE("shader: of several kernels one is chosen by name") {
  const Device device(WEFT_EACH_DEVICE);
  const std::string text = std::string(kScale) + std::string(kCount).substr(7);
  CHECK(device.compile_text(text, {}, "count").info().name == "count");
  CHECK_THAT(message_of<CompileError>([&] { (void)device.compile_text(text); }), Contains("name one: @scale, @count"));
  CHECK_THAT(message_of<CompileError>([&] { (void)device.compile_text(text, {}, "other"); }),
             Contains("no kernel @other; there are: @scale, @count"));
}

TEST_CASE("shader: info says what the kernel is") {
  const Device device(WEFT_EACH_DEVICE);
  const DynamicShader values = device.compile_text(kValues);
  const ShaderInfo& info = values.info();
  CHECK(info.name == "values");
  CHECK(info.block_size == std::array<std::uint32_t, 3>{1, 1, 1});
  REQUIRE(info.arguments.size() == 6);
  CHECK(info.arguments[0].type == "byte_buffer");
  CHECK(info.arguments[4].name == "triple");
  CHECK(info.arguments[4].value_type == "vec<f32, 3>");
  CHECK(info.arguments[5].value_bytes == 8);
}
