// The device `interp`: the reference interpreter behind the same interface, for debugging an unchanged application.
// Blocks run one after the other in ascending order, each thread of a block's lanes in lane order.
#include "backend/builtin.h"
#include "backend/builtin_device.h"
#include "backend/errors.h"
#include "backend/interp_fault.h"
#include "backend/interp_live.h"
#include "backend/kernel_options.h"
#include "codegen/interp/machine.h"
#include "codegen/ir/arguments.h"
#include "codegen/passes/prepare.h"
#include "runtime/command_queue.h"
#include "runtime/print.h"
#include "runtime/support/log.h"
#include "runtime/trace.h"
#include "runtime/workers.h"

#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

namespace weft::backend {
namespace {

struct Prepared {
  std::unique_ptr<ir::Module> module;
  const ir::Function* kernel = nullptr;
};

// A dispatch runs on the thread that starts it.
class InterpretedDispatch final : public runtime::Command {
 public:
  InterpretedDispatch(std::shared_ptr<const Prepared> prepared, std::shared_ptr<std::mutex> one_at_a_time,
                      const runtime::Grid& grid, std::span<const std::byte> arguments,
                      runtime::ProgressOptions progress)
      : prepared_(std::move(prepared)),
        one_at_a_time_(std::move(one_at_a_time)),
        grid_(grid),
        arguments_(arguments.begin(), arguments.end()),
        progress_(std::move(progress), grid.block_count) {}

  Step start(const runtime::Ticket& ticket, Caller /*caller*/) override {
    const runtime::TraceScope trace(label());
    try {
      run(*ticket.queue);
    } catch (...) {
      outcome_.exception = std::current_exception();
    }
    return Step::finished;
  }

  void cancel() override { stop_.store(1, std::memory_order_relaxed); }
  runtime::Outcome take_outcome() override { return std::move(outcome_); }

 private:
  interp::Options options() const;
  void run(const runtime::CommandQueue& queue);
  void report_progress(const runtime::CommandQueue& queue, std::uint64_t done);
  void warn_of_uninitialised(const interp::Outcome& result) const;
  void report(const interp::Fault& fault);

  const std::shared_ptr<const Prepared> prepared_;
  const std::shared_ptr<std::mutex> one_at_a_time_;  // interpreted atomics are plain accesses
  const runtime::Grid grid_;
  const std::vector<std::byte> arguments_;
  runtime::Progress progress_;
  std::atomic<std::uint32_t> stop_{0};  // orders nothing
  runtime::Outcome outcome_;
};

interp::Options InterpretedDispatch::options() const {
  interp::Options options;
  options.cancel = reinterpret_cast<const std::uint32_t*>(&stop_);
  options.print = runtime::print_line;
  return options;
}

void InterpretedDispatch::run(const runtime::CommandQueue& queue) {
  interp::Machine machine(*prepared_->module, *prepared_->kernel, options());
  const interp::Dispatch dispatch{.arguments = arguments_, .size = grid_.lanes};
  interp::Outcome result;
  std::uint64_t done = 0;
  for (; done < grid_.block_count && stop_.load(std::memory_order_relaxed) == 0; ++done) {
    {
      const std::lock_guard lock(*one_at_a_time_);
      machine.run_block(dispatch, grid_.block_at(done), result);
    }
    if (result.stopped()) break;
    report_progress(queue, done + 1);
  }
  if (result.uninitialised_reads > 0) warn_of_uninitialised(result);
  if (result.fault) report(*result.fault);
  outcome_.cancelled = !result.fault && done < grid_.block_count;
}

void InterpretedDispatch::report_progress(const runtime::CommandQueue& queue, std::uint64_t done) {
  if (!progress_.is_wanted()) return;
  const runtime::QueueScope scope(queue);
  if (done == grid_.block_count) {
    progress_.report_end();
  } else {
    progress_.report(done, runtime::Progress::Clock::now());
  }
}

// Reading memory before it was written is allowed and gives anything: most often it is a mistake.
void InterpretedDispatch::warn_of_uninitialised(const interp::Outcome& result) const {
  const ir::Location& place = result.first_uninitialised_read;
  log_warn("kernel '{}' read memory that was not written {} times, first at {}", prepared_->kernel->name,
           result.uninitialised_reads,
           to_string(SourceLocation{std::string(prepared_->module->string(place.file)), place.line, place.column, 0}));
}

void InterpretedDispatch::report(const interp::Fault& fault) {
  outcome_.fault = to_kernel_fault(*prepared_->module, prepared_->kernel->name, fault);
  outcome_.fault->dispatch_lanes = grid_.lane_count();
}

class InterpretedKernel final : public BuiltinKernel {
 public:
  InterpretedKernel(std::shared_ptr<const KernelDescription> description, std::shared_ptr<const Prepared> prepared,
                    std::shared_ptr<std::mutex> one_at_a_time)
      : BuiltinKernel(std::move(description), places_of(*prepared)),
        prepared_(std::move(prepared)),
        one_at_a_time_(std::move(one_at_a_time)) {
    if (info().is_cooperative == 0) return;
    live_ = std::make_shared<const LiveKernel>(prepared_, one_at_a_time_);
  }

  std::shared_ptr<runtime::Command> make_dispatch(const runtime::Grid& grid, std::span<const std::byte> arguments,
                                                  const runtime::CooperativeOptions& options,
                                                  runtime::ProgressOptions progress) const override {
    if (live_ != nullptr) {
      const std::shared_ptr<const runtime::Kernel> kernel(live_, &live_->code.kernel());
      return make_cooperative(kernel, grid, arguments, options, std::move(progress));
    }
    return std::make_shared<InterpretedDispatch>(prepared_, one_at_a_time_, grid, arguments, std::move(progress));
  }

  bool prints() const override {
    return std::ranges::any_of(prepared_->module->functions, [](const ir::Function& function) {
      for (std::size_t i = 0; i < function.op_count(); ++i) {
        if (function.op(ir::OpId(i)).code == ir::OpCode::print) return true;
      }
      return false;
    });
  }

 private:
  static ArgumentPlaces places_of(const Prepared& prepared) {
    const ir::ArgumentLayout layout = ir::layout_arguments(prepared.module->types, *prepared.kernel);
    ArgumentPlaces places;
    places.size_bytes = layout.size_bytes;
    for (const ir::ArgumentSlot& slot : layout.slots) places.offsets.push_back(slot.offset_bytes);
    return places;
  }

  struct LiveKernel {
    LiveKernel(std::shared_ptr<const Prepared> source, std::shared_ptr<std::mutex> one_at_a_time)
        : prepared(std::move(source)), code(*prepared->module, *prepared->kernel, std::move(one_at_a_time)) {}
    const std::shared_ptr<const Prepared> prepared;
    InterpretedLiveKernel code;
  };

  const std::shared_ptr<const Prepared> prepared_;
  const std::shared_ptr<std::mutex> one_at_a_time_;
  std::shared_ptr<const LiveKernel> live_;  // null unless its blocks wait for each other
};

class InterpDevice final : public BuiltinDevice {
 public:
  explicit InterpDevice(const WeftHost& host) : BuiltinDevice(host, runtime::default_executor()) {}

  std::unique_ptr<BuiltinKernel> compile(const WeftModule& module, const WeftKernelOptions& options) override {
    auto prepared = std::make_shared<Prepared>();
    Result<std::unique_ptr<ir::Module>> result =
        passes::prepare(module.module(), module.kernel().name, prepare_options(module.module(), options));
    if (!result) throw CompileError(print(result.diagnostics()));
    prepared->module = std::move(*result);
    prepared->kernel = prepared->module->find_kernel(module.kernel().name);
    return std::make_unique<InterpretedKernel>(module.description(), std::move(prepared), one_at_a_time_);
  }

  std::unique_ptr<BuiltinKernel> load(std::span<const std::byte> /*bytes*/, const std::string& name) override {
    throw CompileError(name + ": error: the interpreter runs kernels in text form, not compiled shader files");
  }

 private:
  const std::shared_ptr<std::mutex> one_at_a_time_ = std::make_shared<std::mutex>();
};

WeftDevice* create_device(const WeftHost* host, const WeftDeviceOptions* /*options*/, const WeftErrors* errors) {
  return guarded(errors, [&] { return to_handle(new InterpDevice(*host)); });
}

}  // namespace

const WeftBackend& interp_backend() {
  static const WeftBackend table = [] {
    WeftBackend t = builtin_table();
    t.name = "interp";
    t.description = "the reference interpreter: slow, exact, for debugging";
    t.create_device = create_device;
    return t;
  }();
  return table;
}

}  // namespace weft::backend
