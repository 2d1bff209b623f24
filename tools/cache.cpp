// weftc cache: the shader cache, as the environment and the options name it.
#include "tools/commands.h"

#include "backend/shader_cache.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>

namespace weft::tools {
namespace {

using Entry = jit::ObjectStore::Entry;

struct CacheOptions {
  std::string folder;
  bool json = false;
  bool only_damaged = false;
};

struct Cache {
  explicit Cache(const CacheOptions& options)
      : settings(settings_of(options)), store(settings.folder, settings.limit_bytes) {}

  static backend::CacheSettings settings_of(const CacheOptions& options) {
    WeftDeviceOptions raw{};
    raw.cache_folder = options.folder.c_str();
    return backend::cache_settings(raw);
  }

  const backend::CacheSettings settings;
  const jit::ObjectStore store;
};

std::uint64_t size_of(const std::vector<Entry>& entries) {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries) sum += entry.size_bytes;
  return sum;
}

std::string time_text(const Entry& entry) {
  const auto time =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(entry.last_used));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)); }

ExitCode info(const CacheOptions& options) {
  const Cache cache(options);
  const std::vector<Entry> entries = cache.store.entries();
  if (options.json) {
    const nlohmann::ordered_json out = {{"on", cache.settings.on},
                                        {"folder", cache.settings.folder.string()},
                                        {"kernels", entries.size()},
                                        {"size_bytes", size_of(entries)},
                                        {"limit_bytes", cache.settings.limit_bytes}};
    fmt::print("{}", json_text(out));
  } else {
    fmt::print("{}, in {}\n{} kernel{}, {} of {}\n", cache.settings.on ? "on" : "off", cache.settings.folder.string(),
               entries.size(), entries.size() == 1 ? "" : "s", mebibytes(size_of(entries)),
               mebibytes(cache.settings.limit_bytes));
  }
  return ExitCode::ok;
}

// Lists all entries or, to verify, counts those that are damaged.
ExitCode list(const CacheOptions& options, bool verifies) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  std::size_t damaged = 0;
  for (const Entry& entry : Cache(options).store.entries()) {
    const jit::ObjectStore::Found found = jit::ObjectStore::inspect(entry.file);
    const jit::ObjectStore::Object object = found.object.value_or(jit::ObjectStore::Object{});
    damaged += found.problem.empty() ? 0 : 1;
    if (verifies && found.problem.empty()) continue;
    if (options.json) {
      out.push_back({{"file", entry.file.string()},
                     {"kernel", object.kernel},
                     {"pack_width", object.pack_width},
                     {"size_bytes", entry.size_bytes},
                     {"last_used", time_text(entry)},
                     {"problem", found.problem}});
    } else {
      fmt::print("{}  {:>9}  {}  {}\n", time_text(entry), entry.size_bytes, entry.file.filename().string(),
                 found.problem.empty() ? fmt::format("{} (pack width {})", object.kernel, object.pack_width)
                                       : "not usable: " + found.problem);
    }
  }
  if (options.json) fmt::print("{}", json_text(out));
  return verifies && damaged > 0 ? ExitCode::file : ExitCode::ok;
}

ExitCode clear(const CacheOptions& options) {
  std::size_t removed = 0;
  std::size_t stuck = 0;
  for (const Entry& entry : Cache(options).store.entries()) {
    if (options.only_damaged && jit::ObjectStore::inspect(entry.file).problem.empty()) continue;
    ++(jit::ObjectStore::remove(entry.file) ? removed : stuck);
  }
  if (options.json) {
    fmt::print("{}", json_text(nlohmann::ordered_json{{"removed", removed}, {"not_removed", stuck}}));
  } else {
    fmt::print("{} kernel{} removed\n", removed, removed == 1 ? "" : "s");
  }
  if (stuck == 0) return ExitCode::ok;
  fmt::print(stderr, "weftc: error: {} kernels cannot be removed\n", stuck);
  return ExitCode::file;
}

}  // namespace

void add_cache(CLI::App& app, Action& action) {
  auto options = std::make_shared<CacheOptions>();
  CLI::App* command = app.add_subcommand("cache", "Look at the shader cache, or empty it");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* meaning, std::function<ExitCode()> run) {
    CLI::App* part = command->add_subcommand(name, meaning);
    part->add_option("--dir", options->folder, "Folder of the cache, in place of the environment's")->type_name("DIR");
    part->add_flag("--json", options->json, "As JSON");
    part->callback([run = std::move(run), &action] { action = run; });
    return part;
  };
  add("info", "Where it is, and how large", [options] { return info(*options); });
  add("list", "All kernels in it, the last used first", [options] { return list(*options, false); });
  add("verify", "Check every file; exit code 4 if one is damaged", [options] { return list(*options, true); });
  add("clear", "Remove all kernels", [options] {
    return clear(*options);
  })->add_flag("--damaged", options->only_damaged, "Only those that are not usable");
}

}  // namespace weft::tools
