// The devices that a test runs on, and kernels that many tests use.
#pragma once

#include <weft/device.h>
#include <weft/error.h>

#include <catch2/catch.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::test {

// One run of the test for each built-in device.
#define WEFT_EACH_DEVICE GENERATE(std::string("interp"), std::string("cpu"))

// out[i] = in[i] * factor
inline constexpr const char* kScale = R"(weft 1
kernel @scale(%in: buffer<f32>, %out: buffer<f32>, %factor: f32) block(64) {
  %x = read %in[dispatch_id.x]
  %y = mul %x, %factor
  write %out[dispatch_id.x], %y
}
)";

// Counts its lanes.
inline constexpr const char* kCount = R"(weft 1
kernel @count(%sum: buffer<u32>) block(32) {
  %place = buffer_element %sum[0]
  %before = atomic_add %place, 1
}
)";

// Message of the exception that `action` throws, which must be an E.
template <typename E>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no exception";
}

// The fault that synchronising throws.
inline KernelFault fault_of(Stream& stream) {
  try {
    stream.synchronize();
  } catch (const KernelFault& fault) {
    return fault;
  }
  FAIL("no fault");
  throw std::logic_error("not reached");
}

template <typename T>
std::vector<T> download(Stream& stream, const BufferView<T>& view) {
  std::vector<T> values(view.size());
  stream << view.download(values) << synchronize();
  return values;
}

}  // namespace weft::test
