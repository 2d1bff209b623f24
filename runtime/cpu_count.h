// How many CPUs this process may keep busy: the CPUs that it may be scheduled on, cut down to its cgroups' CPU-time
// quota (both versions of cgroups), as a container has many CPUs but few seconds on them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::runtime {

inline constexpr unsigned kMaxWorkers = 1024;

// At least 1, at most kMaxWorkers.
unsigned usable_cpus();

// The smallest CPU quota, in CPUs, of the cgroups that `membership` (the text of /proc/self/cgroup) names below
// `root` (/sys/fs/cgroup) and of their parents; nothing if none has a quota.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path& root, const std::string& membership);

}  // namespace weft::runtime
