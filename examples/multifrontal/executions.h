// What the executions share: the tables, and all that comes before and after the tasks.
#pragma once

#include "examples/multifrontal/device_factors.h"
#include "examples/multifrontal/large.h"
#include "examples/multifrontal/shaders.h"

namespace multifrontal {

class DeviceExecution : public DeviceFactorisation {
 public:
  DeviceExecution(const weft::Device& device, const Analysis& analysis, const Needs& needs, const Layout* layout,
                  const DeviceOptions& options);

  Factors factor(const SymmetricMatrix& matrix) final;
  MemoryReport memory() const final { return memory_; }
  double seconds() const final { return seconds_; }

 protected:
  // Submits all tasks, once the panels hold the matrix.
  virtual void submit() = 0;

  // What makes the invocation of a kernel; `from` and `to` are contributions, of the whole or of one task.
  weft::Invocation factor_tasks(weft::uint first, const weft::BufferView<double>& contributions,
                                const weft::BufferView<double>& scratch, Children mode) const;
  weft::Invocation push(weft::uint first, const weft::BufferView<double>& from,
                        const weft::BufferView<double>& to) const;

  // Submits what adds a large front's children, one after the other, and what factors it. `work` holds all tasks'
  // memory, the task's contribution from `offset` on.
  void assemble_large(weft::uint task, const weft::BufferView<double>& work);
  void factor_large(weft::uint task, const weft::BufferView<double>& work, std::uint64_t offset);

  const weft::Device& device_;
  const Analysis& analysis_;
  const DeviceOptions options_;
  weft::Stream stream_;
  const Shaders shaders_;
  DeviceTables tables_;
  LargeTasks large_;
  MemoryReport memory_;
  const std::vector<weft::uint> positions_;  // of each task in the schedule

 private:
  double seconds_ = 0;
};

std::unique_ptr<DeviceFactorisation> make_levels(const weft::Device& device, const Analysis& analysis,
                                                 const DeviceOptions& options);
std::unique_ptr<DeviceFactorisation> make_graph(const weft::Device& device, const Analysis& analysis,
                                                const DeviceOptions& options);
std::unique_ptr<DeviceFactorisation> make_fused(const weft::Device& device, const Analysis& analysis,
                                                const DeviceOptions& options);

}  // namespace multifrontal
