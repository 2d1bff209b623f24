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

  const weft::Device& device_;
  const Analysis& analysis_;
  const DeviceOptions options_;
  weft::Stream stream_;
  const Shaders shaders_;
  DeviceTables tables_;
  LargeTasks large_;
  MemoryReport memory_;

 private:
  double seconds_ = 0;
};

std::unique_ptr<DeviceFactorisation> make_levels(const weft::Device& device, const Analysis& analysis,
                                                 const DeviceOptions& options);
std::unique_ptr<DeviceFactorisation> make_graph(const weft::Device& device, const Analysis& analysis,
                                                const DeviceOptions& options);

}  // namespace multifrontal
