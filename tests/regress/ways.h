// The ways that a kernel runs: compiled at every pack width, as coroutines and cut at its barriers, and interpreted.
#pragma once

#include <weft/weft.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace weft::test {

struct Way {
  std::string device;
  std::uint32_t width;
  Form form = Form::coroutines;
};

inline std::string describe(const Way& way) {
  return way.device + " width " + std::to_string(way.width) + (way.form == Form::fission ? ", fission" : "");
}

// One run of the test for each.
#define WEFT_COMPILED_WAYS                                                                                   \
  Way{"cpu", 1}, Way{"cpu", 4}, Way{"cpu", 8}, Way{"cpu", 16}, Way{"cpu", 32}, Way{"cpu", 1, Form::fission}, \
      Way{"cpu", 8, Form::fission}, Way {                                                                    \
    "cpu", 16, Form::fission                                                                                 \
  }
#define WEFT_EACH_WAY GENERATE(WEFT_COMPILED_WAYS, Way{"interp", 0})
#define WEFT_EACH_COMPILED_WAY GENERATE(WEFT_COMPILED_WAYS)

// A device and a stream for one way.
class Runner {
 public:
  explicit Runner(const Way& way)
      : way_(describe(way)),
        device_(way.device, {.width = way.width, .form = way.form}),
        stream_(device_.create_stream()) {}

  const std::string& way() const { return way_; }
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
  std::string way_;
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
