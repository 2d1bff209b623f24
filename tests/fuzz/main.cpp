// Differential fuzzing of the compiler: random kernels, run by the reference interpreter and compiled at every pack
// width, must write the same bits.
//
//   fuzz_kernels [--seed FIRST] [--count N] [--keep FOLDER]
//
// A kernel that differs is written to FOLDER/fuzz_SEED.weft, which weftc runs. Exit code 1 if any did.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>

#include "codegen/interp/machine.h"
#include "codegen/ir/arguments.h"
#include "codegen/ir/text/print.h"
#include "codegen/ir/verify/verify.h"
#include "codegen/jit/compile.h"
#include "codegen/passes/prepare.h"
#include "runtime/command_queue.h"
#include "runtime/dispatch.h"
#include "runtime/workers.h"
#include "tests/fuzz/generate.h"

namespace weft::fuzz {
namespace {

constexpr std::uint32_t kInputs = 1000;
using jit::Effort;
using jit::Form;

// How a kernel is compiled.
struct Way {
  std::uint32_t width;
  Form form;
  Effort effort = Effort::full;

  [[nodiscard]] std::string text() const {
    return fmt::format("width {}, {}", width, lower::kFormTexts[static_cast<std::size_t>(form)]);
  }
};

constexpr Way kWays[] = {{1, Form::coroutines},
                         {4, Form::fission},
                         {8, Form::coroutines, Effort::minimal},
                         {16, Form::coroutines},
                         {16, Form::fission},
                         {32, Form::fission, Effort::minimal},
                         {32, Form::coroutines, Effort::reduced},
                         {1, Form::fission}};

// The buffers of one run.
struct Data {
  std::vector<std::uint32_t> in, out, counts;
  std::vector<float> floats;
  std::vector<std::byte> arguments;

  Data(const ir::ArgumentLayout& layout, std::uint64_t lanes)
      : in(kInputs), out(lanes * kWordsPerLane), counts(kCounts), floats(kInputs), arguments(layout.size_bytes) {
    for (std::uint32_t i = 0; i < kInputs; ++i) {
      in[i] = i % 5 == 0 ? i % 11 : i * 2246822519U;
      floats[i] = i % 7 == 0 ? static_cast<float>(i) : static_cast<float>(static_cast<int>(i) - 500) * 0.37F;
    }
    bind(layout, 0, in.data(), in.size());
    bind(layout, 1, floats.data(), floats.size());
    bind(layout, 2, out.data(), out.size());
    bind(layout, 3, counts.data(), counts.size());
    const std::uint32_t n = 13;
    std::memcpy(arguments.data() + layout.slots[4].offset_bytes, &n, sizeof n);
  }

 private:
  void bind(const ir::ArgumentLayout& layout, std::size_t slot, void* data, std::uint64_t count) {
    const abi::BufferArgument argument{static_cast<std::byte*>(data), count};
    std::memcpy(arguments.data() + layout.slots[slot].offset_bytes, &argument, sizeof argument);
  }
};

struct Tally {
  std::uint64_t kernels = 0;
  std::uint64_t ops = 0;
  std::uint64_t barriers = 0;
  std::uint64_t cut = 0;  // compilations that were cut at the kernel's barriers
  std::uint64_t invalid = 0;
  std::uint64_t failures = 0;
};

class Fuzzer {
 public:
  explicit Fuzzer(std::string keep) : keep_(std::move(keep)) {}

  void run(std::uint64_t seed);
  Tally tally;

 private:
  std::string compare(Generated& kernel);
  std::string run_compiled(const ir::Module& module, const Way& way, const Generated& kernel, Data& data);

  std::string keep_;
  std::shared_ptr<runtime::Executor> workers_ = std::make_shared<runtime::WorkerPool>(2);
};

std::string Fuzzer::run_compiled(const ir::Module& module, const Way& way, const Generated& kernel, Data& data) {
  auto object = jit::compile(module, {.width = way.width, .effort = way.effort, .form = way.form});
  if (!object) {
    return print(object.diagnostics());
  }
  tally.cut += object->stats.form == "fission" ? 1 : 0;
  auto loaded = jit::load(object->bytes, "fuzz");
  if (!loaded) {
    return print(loaded.diagnostics());
  }
  auto code = std::make_shared<runtime::Kernel>();
  code->info = &(*loaded)->info();
  code->function = (*loaded)->block_function();
  const auto& size = (*loaded)->info().block_size;
  const auto grid = runtime::grid_of_lanes(kernel.dispatch_size, {size[0], size[1], size[2]});
  auto queue = runtime::CommandQueue::create(workers_);
  queue->submit(runtime::Dispatch::create(code, *grid, data.arguments));
  return queue->synchronize().ok() ? "" : "a fault";
}

// What differs, or nothing.
std::string Fuzzer::compare(Generated& kernel) {
  const std::uint64_t lanes =
      std::uint64_t{kernel.dispatch_size[0]} * kernel.dispatch_size[1] * kernel.dispatch_size[2];
  auto prepared = passes::prepare(*kernel.module);
  if (!prepared) {
    return print(prepared.diagnostics());
  }
  const ir::Function& f = *(*prepared)->find_kernel();
  const ir::ArgumentLayout layout = ir::layout_arguments((*prepared)->types, f);
  Data expected(layout, lanes);
  const auto outcome = interp::Machine(**prepared, f).run({expected.arguments, kernel.dispatch_size});
  if (outcome.fault) {
    return "interpreter: " + interp::to_string(**prepared, *outcome.fault);
  }
  if (outcome.uninitialised_reads > 0) {
    return "interpreter: reads unwritten memory";
  }
  for (const Way& way : kWays) {
    Data data(layout, lanes);
    if (std::string problem = run_compiled(*kernel.module, way, kernel, data); !problem.empty()) {
      return fmt::format("{}: {}", way.text(), problem);
    }
    for (std::size_t i = 0; i < data.out.size(); ++i) {
      if (data.out[i] != expected.out[i]) {
        return fmt::format("{}: out[{}] is {:#x}, expected {:#x}", way.text(), i, data.out[i], expected.out[i]);
      }
    }
    if (data.counts != expected.counts) {
      return fmt::format("{}: counts differ", way.text());
    }
  }
  return "";
}

void Fuzzer::run(std::uint64_t seed) {
  Generated kernel = generate_kernel(seed);
  const DiagnosticList mistakes = ir::verify(*kernel.module);
  std::string problem;
  if (mistakes.has_errors()) {
    ++tally.invalid;
    problem = "the generator made an invalid kernel: " + print(mistakes);
  } else {
    ++tally.kernels;
    const ir::Function& f = *kernel.module->find_kernel();
    tally.ops += f.op_count();
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      tally.barriers += f.op(ir::OpId(i)).code == ir::OpCode::barrier ? 1 : 0;
    }
    problem = compare(kernel);
  }
  if (problem.empty()) {
    return;
  }
  ++tally.failures;
  const std::string file = fmt::format("{}/fuzz_{}.weft", keep_, seed);
  std::ofstream(file) << ir::print(*kernel.module);
  const auto& d = kernel.dispatch_size;
  fmt::print("seed {}, dispatch {}x{}x{}: {}\n  {}\n", seed, d[0], d[1], d[2], problem, file);
}

}  // namespace
}  // namespace weft::fuzz

int main(int argc, char** argv) {
  CLI::App app{"Compares compiled random kernels with the reference interpreter"};
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  std::string keep = ".";
  app.add_option("--seed", seed, "first seed");
  app.add_option("--count", count, "number of kernels");
  app.add_option("--keep", keep, "folder for kernels that differ");
  CLI11_PARSE(app, argc, argv);
  weft::fuzz::Fuzzer fuzzer(keep);
  for (std::uint64_t i = 0; i < count; ++i) {
    fuzzer.run(seed + i);
  }
  const auto& t = fuzzer.tally;
  fmt::print("{} valid kernels, {} ops, {} barriers, {} runs cut at them, {} invalid; {} failures\n", t.kernels, t.ops,
             t.barriers, t.cut, t.invalid, t.failures);
  return t.failures == 0 ? 0 : 1;
}
