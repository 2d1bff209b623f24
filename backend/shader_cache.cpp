#include "backend/shader_cache.h"

#include "runtime/support/env.h"
#include "runtime/support/stage_times.h"

#include <fmt/format.h>

#include <cstdlib>

namespace weft::backend {
namespace {

namespace fs = std::filesystem;

// An absolute path in an environment variable that is not Weft's own.
fs::path folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path(value == nullptr ? "" : value);
  return path.is_absolute() ? path : fs::path();
}

// The folder for caches of the XDG base directory specification; empty if there is no home.
fs::path user_folder() {
  if (const fs::path caches = folder_in("XDG_CACHE_HOME"); !caches.empty()) return caches / "weft";
  if (const fs::path home = folder_in("HOME"); !home.empty()) return home / ".cache" / "weft";
  return {};
}

fs::path folder_of(const WeftDeviceOptions& options) {
  if (*options.cache_folder != '\0') return options.cache_folder;
  const std::string from_environment = env::cache_dir();
  return from_environment.empty() ? user_folder() : fs::path(from_environment);
}

}  // namespace

CacheSettings cache_settings(const WeftDeviceOptions& options) {
  CacheSettings settings;
  settings.folder = folder_of(options);
  const bool wanted = options.cache == WEFT_CACHE_AUTOMATIC ? env::cache() == "on" : options.cache == WEFT_CACHE_ON;
  settings.on = wanted && !settings.folder.empty();
  settings.limit_bytes = options.cache_limit_bytes != 0 ? options.cache_limit_bytes : env::cache_mib() << 20;
  return settings;
}

std::unique_ptr<const ShaderCache> ShaderCache::open(const WeftDeviceOptions& options, Log log) {
  const CacheSettings settings = cache_settings(options);
  if (!settings.on) return nullptr;
  if (jit::build_id().empty()) {
    log(LogLevel::warn, "the shader cache is off: this build of Weft has no build id to tell it from others");
    return nullptr;
  }
  return std::make_unique<const ShaderCache>(settings, std::move(log));
}

Digest ShaderCache::key(const WeftModule& module, const jit::CompileOptions& options, const jit::Target& target) const {
  const StageScope scope(Stage::look_up);
  Digester digester;
  module.add_to(digester);
  jit::add_to(digester, options, target);
  return digester.finish();
}

std::unique_ptr<jit::LoadedKernel> ShaderCache::find(const Digest& key) const {
  const StageScope scope(Stage::look_up);
  const jit::ObjectStore::Found found = store_.find(key);
  if (!found.problem.empty()) log_(LogLevel::warn, fmt::format("shader cache: {}", found.problem));
  if (!found.object) return nullptr;
  Result<std::unique_ptr<jit::LoadedKernel>> code = jit::load(found.object->bytes, found.object->kernel);
  if (code) return std::move(*code);
  log_(LogLevel::warn, fmt::format("shader cache: an object is not used: {}", print(code.diagnostics())));
  return nullptr;
}

void ShaderCache::add(const Digest& key, const abi::KernelInfo& info, std::span<const std::byte> object) const {
  const StageScope scope(Stage::store);
  const std::string problem = store_.add(key, info.name, info.pack_width, object);
  if (problem.empty()) return;
  // A disk that is full or read-only stays so: once is enough.
  const bool is_first = !has_failed_to_write_.exchange(true, std::memory_order_relaxed);
  log_(is_first ? LogLevel::warn : LogLevel::debug, fmt::format("shader cache: {}", problem));
}

}  // namespace weft::backend
