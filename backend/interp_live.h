// Kernels that wait for other blocks on the device `interp`: interpreted blocks behind the block function that the
// runtime's cooperative dispatches call.
#pragma once

#include "codegen/interp/machine.h"
#include "codegen/ir/module.h"
#include "runtime/kernel.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace weft::backend {

class InterpretedLiveKernel {
 public:
  // The module lives as long as the kernel. `one_at_a_time` is held while a block runs.
  InterpretedLiveKernel(const ir::Module& module, const ir::Function& kernel,
                        std::shared_ptr<std::mutex> one_at_a_time);
  InterpretedLiveKernel(const InterpretedLiveKernel&) = delete;
  InterpretedLiveKernel& operator=(const InterpretedLiveKernel&) = delete;

  // For runtime::CooperativeDispatch.
  const runtime::Kernel& kernel() const { return kernel_; }

 private:
  // The description that the runtime hands on leads back here.
  struct Info : abi::KernelInfo {
    InterpretedLiveKernel* owner = nullptr;
  };
  struct Resident;

  static abi::BlockStatus run_block(abi::BlockContext* context);
  static void abandon(std::byte* resident);

  void describe(const ir::Function& kernel);
  void describe_arguments(const ir::Function& kernel);
  void describe_sites();
  const char* keep(std::string text) { return strings_.emplace_back(std::move(text)).c_str(); }
  abi::BlockStatus advance(abi::BlockContext& context);
  void tell(const interp::BlockWait& wait, abi::BlockContext& context) const;

  const ir::Module& module_;
  const interp::Machine machine_;
  const std::shared_ptr<std::mutex> one_at_a_time_;
  std::deque<std::string> strings_;
  std::vector<abi::ArgumentInfo> arguments_;
  std::vector<abi::SiteInfo> sites_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> site_of_;  // by file, line, column
  Info info_{};
  runtime::Kernel kernel_;
};

}  // namespace weft::backend
