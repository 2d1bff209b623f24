#include "backend/registry.h"

#include "backend/builtin.h"
#include "runtime/support/env.h"

#include <weft/error.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>

namespace weft::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModulePrefix = "libweft-backend-";
constexpr std::string_view kModuleSuffix = ".so";

std::array<const WeftBackend*, 2> builtin_backends() { return {&cpu_backend(), &interp_backend()}; }

// Where the library (or program) is that this code is part of.
fs::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path(info.dli_fname).parent_path() : file.parent_path();
}

std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  const std::string path = env::backend_path();
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (end > begin) folders.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  folders.push_back(own_folder());
  return folders;
}

bool is_module_name(std::string_view name) { return !name.empty() && name.find('/') == std::string_view::npos; }

fs::path find_module(const std::string& name) {
  if (!is_module_name(name)) return {};
  for (const fs::path& folder : module_folders()) {
    fs::path file = folder / fmt::format("{}{}{}", kModulePrefix, name, kModuleSuffix);
    std::error_code error;
    if (fs::exists(file, error)) return file;
  }
  return {};
}

const WeftBackend& load_module(const fs::path& file, const std::string& name) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw DeviceError(fmt::format("backend module '{}' does not load: {}", file.string(), dlerror()));
  const auto entry = reinterpret_cast<WeftBackendEntry>(dlsym(library, WEFT_BACKEND_ENTRY));
  if (entry == nullptr) {
    throw DeviceError(
        fmt::format("'{}' is no backend module: it exports no function {}", file.string(), WEFT_BACKEND_ENTRY));
  }
  const WeftBackend* const backend = entry();
  if (backend == nullptr || backend->version != WEFT_BACKEND_VERSION) {
    throw DeviceError(fmt::format("backend module '{}' has interface version {}, this Weft has version {}",
                                  file.string(), backend == nullptr ? 0 : backend->version, WEFT_BACKEND_VERSION));
  }
  if (backend->name != name) {
    throw DeviceError(
        fmt::format("backend module '{}' calls itself '{}', expected '{}'", file.string(), backend->name, name));
  }
  return *backend;
}

class Modules {
 public:
  const WeftBackend* find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
    const fs::path file = find_module(name);
    if (file.empty()) return nullptr;
    return loaded_.emplace(name, &load_module(file, name)).first->second;
  }

 private:
  std::mutex mutex_;  // guards loaded_
  std::map<std::string, const WeftBackend*> loaded_;
};

Modules& modules() {
  static Modules instance;
  return instance;
}

void add_module_names(const fs::path& folder, std::vector<std::string>& names) {
  std::error_code error;
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    const std::size_t affixes = kModulePrefix.size() + kModuleSuffix.size();
    if (file.size() <= affixes || !file.starts_with(kModulePrefix) || !file.ends_with(kModuleSuffix)) continue;
    found.push_back(file.substr(kModulePrefix.size(), file.size() - affixes));
  }
  std::sort(found.begin(), found.end());
  for (std::string& name : found) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
}

}  // namespace

const WeftBackend& find_backend(const std::string& name) {
  for (const WeftBackend* backend : builtin_backends()) {
    if (backend->name == name) return *backend;
  }
  if (const WeftBackend* module = modules().find(name)) return *module;
  throw DeviceError(fmt::format("there is no device '{}'; there are: {}", name, fmt::join(backend_names(), ", ")));
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const WeftBackend* backend : builtin_backends()) names.emplace_back(backend->name);
  for (const fs::path& folder : module_folders()) add_module_names(folder, names);
  return names;
}

}  // namespace weft::backend
