// The shader cache of a device: finds compiled kernels on disk, and keeps those that were compiled anew. What goes
// wrong is a warning in the device's log, and the kernel is compiled.
#pragma once

#include "backend/module_handle.h"
#include "codegen/jit/compile.h"
#include "codegen/jit/object_key.h"
#include "codegen/jit/object_store.h"

#include <weft/backend.h>
#include <weft/log.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace weft::backend {

// Where the cache is and how large it may grow: what the application said, else the environment, else
// $XDG_CACHE_HOME/weft or ~/.cache/weft.
struct CacheSettings {
  bool on = false;
  std::filesystem::path folder;
  std::uint64_t limit_bytes = 0;
};
CacheSettings cache_settings(const WeftDeviceOptions& options);

class ShaderCache {
 public:
  using Log = std::function<void(LogLevel, const std::string&)>;

  // Null if it is off.
  static std::unique_ptr<const ShaderCache> open(const WeftDeviceOptions& options, Log log);

  ShaderCache(const CacheSettings& settings, Log log)
      : store_(settings.folder, settings.limit_bytes), log_(std::move(log)) {}

  // All of these may be called from any thread.
  Digest key(const WeftModule& module, const jit::CompileOptions& options, const jit::Target& target) const;
  // Null unless the kernel is there and links.
  std::unique_ptr<jit::LoadedKernel> find(const Digest& key) const;
  void add(const Digest& key, const abi::KernelInfo& info, std::span<const std::byte> object) const;

 private:
  const jit::ObjectStore store_;
  const Log log_;
  mutable std::atomic<bool> has_failed_to_write_ = false;  // orders nothing
};

}  // namespace weft::backend
