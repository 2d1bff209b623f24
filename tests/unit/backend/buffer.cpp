// Buffers, views and copies.
#include "tests/unit/backend/devices.h"

#include <weft/dsl/struct.h>

#include <limits>
#include <numeric>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;

namespace {

struct Big {
  float values[40];
};

}  // namespace

TEST_CASE("buffer: what is uploaded is downloaded") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<std::uint16_t> values(1000);
  std::iota(values.begin(), values.end(), std::uint16_t{7});
  auto buffer = device.create_buffer<std::uint16_t>(values.size());
  stream << buffer.upload(values);
  CHECK(download(stream, buffer.view()) == values);
}

TEST_CASE("buffer: a vector that is given away lives until it is copied") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(3);
  stream << buffer.upload(std::vector<int>{1, 2, 3});
  CHECK(download(stream, buffer.view()) == std::vector<int>{1, 2, 3});
  stream << buffer.upload({4, 5, 6});
  CHECK(download(stream, buffer.view()) == std::vector<int>{4, 5, 6});
}

TEST_CASE("buffer: subviews name their part, also of subviews") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(8);
  stream << buffer.fill(0) << buffer.subview(2, 5).subview(1, 2).upload({1, 2});
  CHECK(download(stream, buffer.view()) == std::vector<int>{0, 0, 0, 1, 2, 0, 0, 0});
  CHECK(download(stream, buffer.subview(3, 1)) == std::vector<int>{1});
  CHECK(download(stream, buffer.subview(8, 0)).empty());
}

TEST_CASE("buffer: fill sets every element, of any size") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto triples = device.create_buffer<float3>(5);
  stream << triples.fill(float3(1, 2, 3));
  CHECK(download(stream, triples.view()) == std::vector<float3>(5, float3(1, 2, 3)));
  auto big = device.create_buffer<Big>(3);
  Big value{};
  for (int i = 0; i < 40; ++i) value.values[i] = static_cast<float>(i);
  stream << big.fill(value);
  for (const Big& found : download(stream, big.view())) CHECK(std::ranges::equal(found.values, value.values));
}

TEST_CASE("buffer: copies may overlap themselves") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(6);
  stream << buffer.upload({1, 2, 3, 4, 5, 6}) << buffer.subview(1, 4).copy_from(buffer.subview(0, 4));
  CHECK(download(stream, buffer.view()) == std::vector<int>{1, 1, 2, 3, 4, 6});
}

TEST_CASE("buffer: empty buffers and views do nothing") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto none = device.create_buffer<float>(0);
  std::vector<float> nothing;
  stream << none.upload(nothing) << none.fill(1.0F) << none.copy_from(none) << none.download(nothing) << synchronize();
  CHECK(none.size() == 0);
}

TEST_CASE("buffer: memory that a command uses outlives its buffer") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<int> values(100'000);
  {
    auto buffer = device.create_buffer<int>(values.size());
    stream << buffer.fill(42) << buffer.download(values);
  }
  stream << synchronize();
  CHECK(values == std::vector<int>(100'000, 42));
}

TEST_CASE("buffer: sizes that differ are an error naming both sides") {
  const Device device(WEFT_EACH_DEVICE);
  auto buffer = device.create_buffer<float>(10);
  auto other = device.create_buffer<float>(9);
  std::vector<float> values(12);
  const std::string size =
      " and a view of 10 f32: both sides must have the same size; take a subview of what is larger";
  CHECK(message_of<UsageError>([&] { buffer.upload(values); }) == "upload of 12 f32" + size);
  CHECK(message_of<UsageError>([&] { buffer.download(values); }) == "download to 12 f32" + size);
  CHECK(message_of<UsageError>([&] { buffer.copy_from(other); }) == "copy of 9 f32" + size);
}

TEST_CASE("buffer: a subview that does not fit is an error naming both sides") {
  const Device device(WEFT_EACH_DEVICE);
  auto buffer = device.create_buffer<float4>(10);
  CHECK(message_of<UsageError>([&] { buffer.subview(4, 7); }) ==
        "a subview of 7 vec<f32, 4> from number 4 on does not fit into a view of 10 vec<f32, 4>");
  CHECK(message_of<UsageError>([&] { buffer.subview(11, 0); }) ==
        "a subview of 0 vec<f32, 4> from number 11 on does not fit into a view of 10 vec<f32, 4>");
  CHECK_THROWS_AS(buffer.subview(1, std::numeric_limits<std::uint64_t>::max()), UsageError);
}

TEST_CASE("buffer: dead handles are an error") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::vector<int> values(4);
  Buffer<int> never;
  CHECK(message_of<UsageError>([&] { never.fill(1); }) ==
        "fill of 0 i32 uses a buffer that was never created, or was moved from");
  auto buffer = device.create_buffer<int>(4);
  const BufferView<int> view = buffer;
  Buffer<int> moved = std::move(buffer);
  CHECK_THROWS_AS(buffer.upload(values), UsageError);  // NOLINT(bugprone-use-after-move): that it is caught
  stream << view.fill(3) << synchronize();
  moved = Buffer<int>();
  CHECK(message_of<UsageError>([&] { view.download(values); }) ==
        "download to 4 i32 uses a buffer of 4 i32 that was destroyed before");
}

TEST_CASE("buffer: one of another device is an error naming both devices") {
  const Device here("interp");
  const Device there("interp");
  Stream stream = there.create_stream();
  auto buffer = here.create_buffer<int>(4);
  auto other = there.create_buffer<int>(4);
  CHECK_THAT(message_of<UsageError>([&] { stream << buffer.fill(1); }),
             Contains("the fill of 4 i32 belongs to device interp #") && Contains(", the stream to device interp #"));
  CHECK_THAT(
      message_of<UsageError>([&] { buffer.copy_from(other); }),
      Contains("the source of a copy of 4 i32 belongs to device interp #") && Contains(", its target to device"));
}

TEST_CASE("buffer: more memory than there is is an exception, and the device goes on") {
  const Device device(WEFT_EACH_DEVICE);
  CHECK(message_of<OutOfMemoryError>([&] { (void)device.create_buffer<float>(std::uint64_t{1} << 60); }) ==
        "there is no memory for a buffer of 4611686018427387904 bytes");
  CHECK(message_of<OutOfMemoryError>([&] { (void)device.create_buffer<double>(std::uint64_t{1} << 62); }) ==
        "a buffer of 4611686018427387904 f64 is larger than the address space");
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(1);
  stream << buffer.fill(9);
  CHECK(download(stream, buffer.view()) == std::vector<int>{9});
}
