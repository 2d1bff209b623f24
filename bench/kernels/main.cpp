// Kernels beside the same work written by hand, on one thread, in interleaved rounds: CPU time of the thread, medians.
//
//   bench_kernels [--rounds N] [--quick] [--filter TEXT] [--cpu NAME] [--json]
#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/kernels/bounds.h"
#include "codegen/ir/verify/verify.h"
#include "codegen/jit/compile.h"
#include "runtime/command_queue.h"
#include "runtime/dispatch.h"
#include "runtime/workers.h"

namespace weft::bench {
namespace {

double thread_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// A kernel with its data: buffers in the order of its parameters, then its one number if it has one.
struct Case {
  std::string name;
  runtime::Size3 lanes;
  std::vector<std::vector<float>> buffers;
  std::uint32_t number = 0;
  std::function<void(Case&)> bound;
  std::size_t result = 0;  // the buffer that holds it
  double tolerance = 0;    // relative, between Weft and the bound
};

struct Way {
  std::string name;
  std::function<void()> run;
  std::vector<double> ms;
  double compile_ms = 0;
  double error = 0;

  [[nodiscard]] double median() {
    std::ranges::sort(ms);
    return ms[ms.size() / 2];
  }
};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> data(count);
  for (std::size_t i = 0; i < count; ++i) {
    data[i] = static_cast<float>((i * 2654435761U >> 8) % 65536) / 65536.0F;
  }
  return data;
}

std::vector<Case> make_cases(bool quick) {
  std::vector<Case> cases;
  const std::uint32_t count = quick ? 1U << 20 : 16U << 20;
  cases.push_back({"reduction",
                   {count, 1, 1},
                   {numbers(count), std::vector<float>(count / 256)},
                   0,
                   [count](Case& c) { bound_reduction(c.buffers[0].data(), c.buffers[1].data(), count / 256); },
                   1,
                   1e-4});
  const std::uint32_t n = quick ? 256 : 1024;
  const std::size_t cells = std::size_t{n} * n;
  cases.push_back({"matmul",
                   {n, n, 1},
                   {numbers(cells), numbers(cells), std::vector<float>(cells)},
                   n,
                   [n](Case& c) { bound_matmul(c.buffers[0].data(), c.buffers[1].data(), c.buffers[2].data(), n); },
                   2,
                   1e-4});
  const std::uint32_t side = quick ? 512 : 2048;
  cases.push_back({"mandelbrot",
                   {side * side, 1, 1},
                   {std::vector<float>(std::size_t{side} * side)},
                   side,
                   [side](Case& c) { bound_mandelbrot(reinterpret_cast<std::uint32_t*>(c.buffers[0].data()), side); },
                   0,
                   1e-2});
  const std::uint32_t bodies = quick ? 2048 : 16384;
  std::vector<std::vector<float>> buffers;
  for (int i = 0; i < 7; ++i) {
    buffers.push_back(i < 4 ? numbers(bodies) : std::vector<float>(bodies));
    std::ranges::rotate(buffers.back(), buffers.back().begin() + 100L * i);
  }
  cases.push_back({"nbody",
                   {bodies, 1, 1},
                   std::move(buffers),
                   bodies,
                   [bodies](Case& c) {
                     const float* position[3] = {c.buffers[0].data(), c.buffers[1].data(), c.buffers[2].data()};
                     float* acceleration[3] = {c.buffers[4].data(), c.buffers[5].data(), c.buffers[6].data()};
                     bound_nbody(position, c.buffers[3].data(), acceleration, bodies);
                   },
                   4,
                   1e-2});
  return cases;
}

class Bench {
 public:
  Bench(std::string cpu, std::uint32_t rounds) : cpu_(std::move(cpu)), rounds_(rounds) {}

  nlohmann::json run(Case& c);

 private:
  Way compiled(Case& c, std::uint32_t width, bool unchecked);
  static std::vector<std::byte> arguments(Case& c, const abi::KernelInfo& info);

  std::string cpu_;
  std::uint32_t rounds_;
  std::shared_ptr<runtime::Executor> worker_ = std::make_shared<runtime::WorkerPool>(1);
  std::vector<std::unique_ptr<jit::LoadedKernel>> loaded_;
};

std::vector<std::byte> Bench::arguments(Case& c, const abi::KernelInfo& info) {
  std::vector<std::byte> block(info.argument_bytes);
  for (std::uint32_t i = 0; i < info.argument_count; ++i) {
    std::byte* slot = block.data() + info.arguments[i].offset_bytes;
    if (info.arguments[i].kind == abi::ArgumentKind::value) {
      std::memcpy(slot, &c.number, sizeof c.number);
    } else {
      const abi::BufferArgument argument{reinterpret_cast<std::byte*>(c.buffers[i].data()), c.buffers[i].size()};
      std::memcpy(slot, &argument, sizeof argument);
    }
  }
  return block;
}

Way Bench::compiled(Case& c, std::uint32_t width, bool unchecked) {
  const std::string file = fmt::format("{}/{}.weft", WEFT_BENCH_KERNELS, c.name);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  auto module = ir::parse_verified(text.str(), file);
  WEFT_CHECK(module.has_value(), "{}", print(module.diagnostics()));
  const double start = thread_ms();
  auto object = jit::compile(**module, {.width = width, .cpu = cpu_, .unchecked = unchecked});
  WEFT_CHECK(object.has_value(), "{}", print(object.diagnostics()));
  auto loaded = jit::load(object->bytes, c.name);
  WEFT_CHECK(loaded.has_value(), "{}", print(loaded.diagnostics()));
  const double compile_ms = thread_ms() - start;
  const abi::KernelInfo& info = (*loaded)->info();
  auto kernel = std::make_shared<runtime::Kernel>();
  kernel->info = &info;
  kernel->function = (*loaded)->block_function();
  loaded_.push_back(std::move(*loaded));
  const auto grid = runtime::grid_of_lanes(c.lanes, {info.block_size[0], info.block_size[1], info.block_size[2]});
  auto run = [this, &c, kernel, grid = *grid] {
    auto queue = runtime::CommandQueue::create(worker_);
    queue->submit(runtime::Dispatch::create(kernel, grid, arguments(c, *kernel->info)));
    WEFT_CHECK(queue->synchronize().ok());
  };
  return {
      fmt::format("{} lane{}{}", width, width == 1 ? "" : "s", unchecked ? ", unchecked" : ""), run, {}, compile_ms, 0};
}

double largest_error(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    const double y = b[i];
    worst = std::max(worst, std::abs(x - y) / std::max(1.0, std::abs(y)));
  }
  return worst;
}

nlohmann::json Bench::run(Case& c) {
  std::vector<Way> ways;
  ways.push_back({"by hand", [&c] { c.bound(c); }, {}, 0, 0});
  for (const std::uint32_t width : {1U, 8U, 16U, 32U}) {
    ways.push_back(compiled(c, width, false));
  }
  ways.push_back(compiled(c, 16, true));
  std::vector<float> expected;
  for (Way& way : ways) {  // warm-up, and the results
    std::ranges::fill(c.buffers[c.result], 0.0F);
    way.run();
    if (expected.empty()) {
      expected = c.buffers[c.result];
    } else if (c.name != "mandelbrot") {  // whose steps jump where rounding differs
      way.error = largest_error(c.buffers[c.result], expected);
      WEFT_CHECK(way.error <= c.tolerance, "{} {} differs by {}", c.name, way.name, way.error);
    }
  }
  for (std::uint32_t round = 0; round < rounds_; ++round) {
    for (Way& way : ways) {
      const double start = thread_ms();
      way.run();
      way.ms.push_back(thread_ms() - start);
    }
  }
  nlohmann::json rows = nlohmann::json::array();
  const double bound = ways[0].median();
  for (Way& way : ways) {
    const double ms = way.median();
    fmt::print("{:<12} {:<20} {:>9.2f} ms  {:>5.2f} of the bound  spread {:.2f} to {:.2f}  compile {:.1f} ms\n", c.name,
               way.name, ms, bound / ms, way.ms.front(), way.ms.back(), way.compile_ms);
    rows.push_back(
        {{"kernel", c.name}, {"way", way.name}, {"ms", ms}, {"of_bound", bound / ms}, {"compile_ms", way.compile_ms}});
  }
  return rows;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  CLI::App app{"Kernels beside the same work written by hand, on one thread"};
  std::uint32_t rounds = 7;
  bool quick = false;
  bool json = false;
  std::string filter;
  std::string cpu = "native";
  app.add_option("--rounds", rounds, "timed runs of each")->check(CLI::PositiveNumber);
  app.add_flag("--quick", quick, "small sizes");
  app.add_option("--filter", filter, "only kernels whose name contains this");
  app.add_option("--cpu", cpu, "native, x86-64-v3 or x86-64-v4");
  app.add_flag("--json", json, "the table again as JSON, at the end");
  CLI11_PARSE(app, argc, argv);
  weft::bench::Bench bench(cpu, rounds);
  nlohmann::json rows = nlohmann::json::array();
  for (auto& c : weft::bench::make_cases(quick)) {
    if (c.name.find(filter) != std::string::npos) {
      for (auto& row : bench.run(c)) {
        rows.push_back(std::move(row));
      }
    }
  }
  if (json) {
    fmt::print("{}\n", rows.dump(2));
  }
}
