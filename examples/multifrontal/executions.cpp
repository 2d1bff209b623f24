#include "examples/multifrontal/executions.h"

#include <chrono>

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
      large_(analysis, shaders_, tables_, options.large_fronts) {
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

std::unique_ptr<DeviceFactorisation> make_device_factorisation(const Device& device, const Analysis& analysis,
                                                               const DeviceOptions& options) {
  return options.execution == Execution::levels ? make_levels(device, analysis, options)
                                                : make_graph(device, analysis, options);
}

}  // namespace multifrontal
