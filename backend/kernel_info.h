// What is known of a kernel from outside, as the C interface tells it: from the IR, or from what the compiler embedded
// in an object.
#pragma once

#include "codegen/ir/module.h"
#include "runtime/abi/abi.h"

#include <weft/backend.h>
#include <weft/shader.h>

#include <deque>
#include <string>
#include <vector>

namespace weft::backend {

// Owns the strings and arrays that a WeftKernelInfo points to.
class KernelDescription {
 public:
  KernelDescription(const ir::Module& module, const ir::Function& kernel);
  explicit KernelDescription(const abi::KernelInfo& info);
  KernelDescription(const KernelDescription&) = delete;
  KernelDescription& operator=(const KernelDescription&) = delete;

  const WeftKernelInfo& info() const { return info_; }

 private:
  const char* keep(std::string text) { return strings_.emplace_back(std::move(text)).c_str(); }
  void finish();

  std::deque<std::string> strings_;
  std::vector<WeftArgumentInfo> arguments_;
  WeftKernelInfo info_{};
};

// The same for the public headers.
ShaderInfo to_shader_info(const WeftKernelInfo& info);

}  // namespace weft::backend
