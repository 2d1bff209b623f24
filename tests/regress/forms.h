// The forms that a kernel runs in: compiled at every pack width, and interpreted.
#pragma once

#include <weft/weft.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace weft::test {

struct Form {
  std::string device;
  std::uint32_t width;
};

inline std::string describe(const Form& form) { return form.device + " width " + std::to_string(form.width); }

// One run of the test for each form.
#define WEFT_EACH_FORM \
  GENERATE(Form{"cpu", 1}, Form{"cpu", 4}, Form{"cpu", 8}, Form{"cpu", 16}, Form{"cpu", 32}, Form{"interp", 0})
#define WEFT_EACH_COMPILED_FORM \
  GENERATE(Form{"cpu", 1}, Form{"cpu", 4}, Form{"cpu", 8}, Form{"cpu", 16}, Form{"cpu", 32})

// A device and a stream in one form.
class Runner {
 public:
  explicit Runner(const Form& form)
      : form_(describe(form)), device_(form.device, {.width = form.width}), stream_(device_.create_stream()) {}

  const std::string& form() const { return form_; }
  Device& device() { return device_; }
  Stream& stream() { return stream_; }

  template <typename T>
  Buffer<T> buffer(const std::vector<T>& values) {
    Buffer<T> made = device_.create_buffer<T>(values.size());
    stream_ << made.upload(values) << synchronize();
    return made;
  }

  template <typename T>
  std::vector<T> values(const BufferView<T>& view) {
    std::vector<T> values(view.size());
    stream_ << view.download(values) << synchronize();
    return values;
  }

 private:
  std::string form_;
  Device device_;
  Stream stream_;
};

// [function(0), function(1), ...]
template <typename Function>
auto table(std::uint32_t count, Function&& function) {
  std::vector<decltype(function(0U))> values;
  for (std::uint32_t i = 0; i < count; ++i) values.push_back(function(i));
  return values;
}

}  // namespace weft::test
