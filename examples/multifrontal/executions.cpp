#include "examples/multifrontal/executions.h"

#include <chrono>
#include <stdexcept>

namespace multifrontal {

using namespace weft;

DeviceExecution::DeviceExecution(const Device& device, const Analysis& analysis, const Needs& needs,
                                 const Layout* layout, const DeviceOptions& options)
    : device_(device),
      analysis_(analysis),
      options_(options),
      stream_(device.create_stream()),
      shaders_(device),
      tables_(device, stream_, analysis, needs, layout),
      large_(analysis, shaders_, tables_, options.large_fronts),
      positions_(inverse(tables_.schedule)) {
  memory_.host = large_.host_bytes();
  memory_.private_slots = sizeof(double) * lay_out(analysis, needs, Sharing::none).elements;
  memory_.serial = sizeof(double) * lay_out(analysis, needs, Sharing::serial).elements;
  stream_ << synchronize();
}

Factors DeviceExecution::factor(const SymmetricMatrix& matrix) {
  const auto start = std::chrono::steady_clock::now();
  stream_ << tables_.values.upload(matrix.values) << tables_.threshold.fill(pivot_threshold(matrix))
          << tables_.panels.fill(0.0) << tables_.perturbed.fill(0U)
          << shaders_.scatter(tables_.destinations, tables_.values, tables_.panels)
                 .dispatch(static_cast<uint>(matrix.entries()));
  large_.begin(pivot_threshold(matrix));
  submit();
  stream_ << synchronize();
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Factors factors{std::vector<double>(analysis_.panel_elements), std::vector<double>(matrix.size())};
  uint perturbed = 0;
  stream_ << tables_.panels.download(factors.panels) << tables_.pivots.download(factors.pivots)
          << tables_.perturbed.download(std::span(&perturbed, 1)) << synchronize();
  factors.perturbed = perturbed + large_.replaced();
  return factors;
}

Invocation DeviceExecution::factor_tasks(uint first, const BufferView<double>& contributions,
                                         const BufferView<double>& scratch, Children mode) const {
  return shaders_.factor_tasks(tables_.fronts, tables_.maps, tables_.children, tables_.tasks, tables_.scheduled, first,
                               tables_.panels, tables_.pivots, tables_.perturbed, tables_.threshold, contributions,
                               scratch, static_cast<uint>(mode));
}

Invocation DeviceExecution::push(uint first, const BufferView<double>& from, const BufferView<double>& to) const {
  return shaders_.push(tables_.fronts, tables_.maps, tables_.tasks, tables_.parents, tables_.scheduled, first,
                       tables_.panels, from, to);
}

void DeviceExecution::assemble_large(uint task, const BufferView<double>& work) {
  stream_ << shaders_.clear(tables_.fronts, tables_.tasks, tables_.scheduled, positions_[task], work)
                 .dispatch_blocks(1, LargeTasks::kStrips);
  for (const uint child : analysis_.tasks[task].children) {
    stream_ << push(positions_[child], work, work).dispatch_blocks(1, LargeTasks::kStrips);
  }
}

void DeviceExecution::factor_large(uint task, const BufferView<double>& work, std::uint64_t offset) {
  for (Command& command : large_.factor(task, work, offset, work, 0)) {
    stream_ << std::move(command);
  }
}

std::unique_ptr<DeviceFactorisation> make_device_factorisation(const Device& device, const Analysis& analysis,
                                                               const DeviceOptions& options) {
  switch (options.execution) {
    case Execution::levels: return make_levels(device, analysis, options);
    case Execution::graph: return make_graph(device, analysis, options);
    case Execution::fused: return make_fused(device, analysis, options);
  }
  throw std::invalid_argument("no such execution");
}

}  // namespace multifrontal
