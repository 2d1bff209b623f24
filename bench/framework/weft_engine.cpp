#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "bench/framework/engine.h"

namespace weft::bench {

namespace {

class WeftRun final : public Run {
 public:
  WeftRun(const Device& device, const ShaderOptions& options, const Problem& problem)
      : problem_(problem), stream_(device.create_stream()) {
    for (const WeftKernel& kernel : problem.kernels) {
      launchers_.emplace(kernel.name, kernel.compile(device, options));
    }
    for (const Data& data : problem.buffers) {
      buffers_.push_back(device.create_byte_buffer(data.size_bytes()));
    }
  }

  void restore() override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      stream_ << buffers_[i].upload(problem_.buffers[i].as<std::byte>());
    }
    stream_.synchronize();
  }
  void run() override {
    for (const Launch& launch : problem_.launches) {
      stream_ << launchers_.at(launch.kernel)(buffers_, launch);
    }
    stream_.synchronize();
  }
  void download(std::size_t buffer, Data& to) override {
    stream_ << buffers_[buffer].download(to.as<std::byte>()) << synchronize();
  }

 private:
  const Problem& problem_;
  Stream stream_;
  std::map<std::string, Launcher> launchers_;
  DeviceBuffers buffers_;
};

class WeftEngine final : public Engine {
 public:
  WeftEngine(unsigned threads, bool unchecked)
      : Engine(Kind::weft, unchecked ? "weft, unchecked" : "weft", threads),
        device_("cpu", {.threads = threads, .cache = Cache::off}) {
    if (unchecked) {
      options_.unchecked = true;
    }
  }
  std::unique_ptr<Run> prepare(const Problem& problem) override {
    if (problem.application) {  // which chooses the options itself
      return options_.unchecked ? nullptr : problem.application(device_);
    }
    return problem.kernels.empty() ? nullptr : std::make_unique<WeftRun>(device_, options_, problem);
  }

 private:
  Device device_;
  ShaderOptions options_;
};

}  // namespace

std::unique_ptr<Engine> make_weft(unsigned threads, bool unchecked) {
  return std::make_unique<WeftEngine>(threads, unchecked);
}

}  // namespace weft::bench
