#include "runtime/cpu_count.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace weft::runtime {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<double> ratio(double quota, double period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

// Version 2: cpu.max holds "quota period", or "max period" where there is no quota.
std::optional<double> quota_v2(const fs::path& folder) {
  std::istringstream text(read_text(folder / "cpu.max"));
  double quota = 0;
  double period = 0;
  text >> quota >> period;
  return text ? ratio(quota, period) : std::nullopt;
}

// Version 1: two files, the quota being -1 where there is none.
std::optional<double> quota_v1(const fs::path& folder) {
  std::istringstream text(read_text(folder / "cpu.cfs_quota_us") + " " + read_text(folder / "cpu.cfs_period_us"));
  double quota = 0;
  double period = 0;
  text >> quota >> period;
  return text ? ratio(quota, period) : std::nullopt;
}

void lower_to(std::optional<double>& least, std::optional<double> candidate) {
  if (candidate && (!least || *candidate < *least)) least = candidate;
}

// The least quota from the cgroup at `path` up to the hierarchy's root.
std::optional<double> least_quota(const fs::path& root, fs::path path,
                                  std::optional<double> (*quota)(const fs::path&)) {
  std::optional<double> least;
  for (path = path.relative_path(); !path.empty(); path = path.parent_path()) lower_to(least, quota(root / path));
  lower_to(least, quota(root));
  return least;
}

bool names_cpu_controller(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "cpu") return true;
  }
  return false;
}

unsigned scheduled_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();  // more CPUs than a cpu_set_t holds
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const fs::path& root, const std::string& membership) {
  std::optional<double> least;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // hierarchy:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      lower_to(least, least_quota(root, path, quota_v2));
    } else if (names_cpu_controller(controllers)) {
      lower_to(least, least_quota(root / "cpu", path, quota_v1));
      lower_to(least, least_quota(root / controllers, path, quota_v1));
    }
  }
  return least;
}

unsigned usable_cpus() {
  double cpus = scheduled_cpus();
  if (const auto quota = cgroup_cpu_quota("/sys/fs/cgroup", read_text("/proc/self/cgroup"))) {
    cpus = std::min(cpus, std::ceil(*quota));
  }
  return static_cast<unsigned>(std::clamp(cpus, 1.0, double{kMaxWorkers}));
}

}  // namespace weft::runtime
