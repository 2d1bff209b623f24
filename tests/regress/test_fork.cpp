// A child process made by fork(): a device of its parent gives an error and no hang, one of its own works.
#include "tests/regress/ways.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char* kDouble = R"(weft 1
kernel @double(%data: buffer<u32>) block(64) {
  %x = read %data[dispatch_id.x]
  %y = mul %x, 2
  write %data[dispatch_id.x], %y
}
)";

bool runs_kernels(const Device& device) {
  Stream stream = device.create_stream();
  auto data = device.create_buffer<std::uint32_t>(10'000);
  std::vector<std::uint32_t> values(10'000);
  stream << data.fill(21) << device.compile_text(kDouble)(data).dispatch(10'000) << data.download(values)
         << synchronize();
  return std::ranges::count(values, 42U) == 10'000;
}

// Runs `action` in a child, and says whether it returned true there before long.
template <typename Action>
bool in_child(Action&& action) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60);
    bool good = false;
    try {
      good = action();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("fork: a child that makes its own device runs kernels") {
  const std::string name = GENERATE(std::string("cpu"), std::string("interp"));
  const Device device(name, {.threads = 2});
  REQUIRE(runs_kernels(device));
  CHECK(in_child([&] { return runs_kernels(Device(name, {.threads = 2})); }));
  CHECK(in_child([&] { return runs_kernels(Device(name)); }));
  CHECK(runs_kernels(device));
}

TEST_CASE("fork: the parent's device gives the child an error that says what to do") {
  const std::string name = GENERATE(std::string("cpu"), std::string("interp"));
  const Device device(name, {.threads = 2});
  REQUIRE(runs_kernels(device));
  Stream stream = device.create_stream();
  auto data = device.create_buffer<std::uint32_t>(1);
  CHECK(in_child([&] {
    try {
      stream << data.fill(1) << synchronize();
    } catch (const Error& error) {
      return std::string(error.what()).find("create a new device in the child process") != std::string::npos;
    }
    return false;
  }));
  stream << data.fill(1) << synchronize();
}
