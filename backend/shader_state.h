// What shaders hold: the backend's kernel and what is known of it.
#pragma once

#include "backend/device_state.h"
#include "backend/kernel_info.h"

#include <weft/shader.h>

#include <memory>

namespace weft::detail {

struct ShaderState {
  // Takes the kernel; `description` is what its info points to if the module gave it.
  ShaderState(std::shared_ptr<DeviceState> device, WeftKernel* handle,
              std::shared_ptr<backend::KernelDescription> description);
  ~ShaderState();
  ShaderState(const ShaderState&) = delete;
  ShaderState& operator=(const ShaderState&) = delete;

  const std::shared_ptr<DeviceState> device;
  WeftKernel* const handle;
  const std::shared_ptr<backend::KernelDescription> description;
  const WeftKernelInfo& kernel;
  const ShaderInfo info;
};

}  // namespace weft::detail
