// A benchmark's problem: data, the kernels that work on it in every language, and how results are compared.
//
// A kernel has one name everywhere: the DSL's kernel, the function in OpenCL C, and the file of the GLSL shader without
// its ending. It takes all buffers of the problem, in order, then the launch's scalars.
#pragma once

#include <weft/weft.h>

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/framework/data.h"

namespace weft::bench {

using Size3 = std::array<std::uint32_t, 3>;

class Run;

// A kernel's argument of 32 bits.
struct Scalar {
  std::uint32_t bits;
  Scalar(std::uint32_t value) : bits(value) {}
  Scalar(float value) : bits(std::bit_cast<std::uint32_t>(value)) {}
};

struct Launch {
  std::string kernel;
  Size3 lanes;  // whole blocks
  Size3 block;
  std::vector<Scalar> scalars;
};

// Threads for hand-written code.
class Threads {
 public:
  explicit Threads(unsigned count) : count_(count) {}

  // Calls f(begin, end) for ranges that cover [0, units), on as many threads; returns when all are done.
  void for_each(std::uint32_t units, const std::function<void(std::uint32_t, std::uint32_t)>& f) const;

 private:
  unsigned count_;
};

// A problem's buffers on a device of Weft.
using DeviceBuffers = std::vector<ByteBuffer>;
using Launcher = std::function<DispatchCommand(const DeviceBuffers&, const Launch&)>;

// A kernel of the DSL, whatever its parameters are.
struct WeftKernel {
  std::string name;
  std::function<Launcher(const Device&, const ShaderOptions&)> compile;
};

namespace detail {

// What a parameter is given: a buffer, or a scalar of the launch.
template <typename Argument>
struct Given {
  static Argument get(const DeviceBuffers& buffers, const Launch& launch, std::size_t position) {
    return std::bit_cast<Argument>(launch.scalars.at(position - buffers.size()).bits);
  }
};
template <typename T>
struct Given<BufferView<T>> {
  static BufferView<T> get(const DeviceBuffers& buffers, const Launch&, std::size_t position) {
    return BufferView<T>(buffers.at(position).range());
  }
};

template <typename... Parameters, std::size_t... Positions>
Launcher compile(const Device& device, const ShaderOptions& options, const Kernel<Parameters...>& kernel,
                 std::index_sequence<Positions...>) {
  return [shader = device.compile(kernel, options)](const DeviceBuffers& buffers, const Launch& launch) {
    Invocation call = shader(Given<host_argument_t<Parameters>>::get(buffers, launch, Positions)...);
    if (shader.info().is_cooperative) call = std::move(call).cooperative();
    return std::move(call).dispatch(launch.lanes[0], launch.lanes[1], launch.lanes[2]);
  };
}

template <typename... Parameters>
Launcher compile(const Device& device, const ShaderOptions& options, const Kernel<Parameters...>& kernel) {
  return compile(device, options, kernel, std::index_sequence_for<Parameters...>());
}

}  // namespace detail

// `record` makes a Kernel1D or Kernel2D. It is called when the kernel is compiled, so recording counts as compiling.
template <typename Record>
WeftKernel weft_kernel(std::string name, Record record) {
  return {std::move(name), [record](const Device& device, const ShaderOptions& options) {
            return detail::compile(device, options, record());
          }};
}

enum class Compare { floats, words };

// A buffer that every way has to leave with the same content.
struct Result {
  std::size_t buffer;
  Compare as = Compare::floats;
  double tolerance = 0;   // of floats: absolute up to 1, relative beyond
  double may_differ = 0;  // share of the elements that may, where rounding decides
};

struct Problem {
  std::vector<Data> buffers;
  std::vector<Result> results;
  std::vector<Launch> launches;
  std::vector<WeftKernel> kernels;
  // In place of kernels and launches, for what an application does with a device. Empty: there are kernels.
  std::function<std::unique_ptr<Run>(const Device&)> application;
  std::function<void(std::span<Data>, const Threads&)> hand;  // empty: there is no such code
  std::string source;      // file of peers' kernels without its ending, in bench/kernels; empty: peers have none
  bool fast_math = false;  // in OpenCL; Weft's kernels say it themselves
  bool restores = false;   // buffers get their content back before each run
  bool cold = false;       // what is measured is compiling and a first run
};

}  // namespace weft::bench
