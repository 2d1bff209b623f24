#include "runtime/resident_memory.h"

#include "runtime/pages.h"
#include "runtime/support/env.h"
#include "runtime/support/separators.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <string_view>
#include <utility>

namespace weft::runtime {
namespace {

constexpr std::uint64_t kSharedAlign = 64;
constexpr std::uint64_t kUnknown = UINT64_MAX;
constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{64} << 20;

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = kUnknown;
  return file >> number ? number : kUnknown;  // "max" is none
}

// "MemAvailable:   123 kB"
std::uint64_t free_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::uint64_t kib = 0;
    if (word == "MemAvailable:" && file >> kib) return kib * 1024;
  }
  return kUnknown;
}

// Of the cgroup (version 2) that the process is in and those around it.
std::uint64_t cgroup_room_bytes() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("0::")) {}
  std::string path = line.starts_with("0::") ? line.substr(3) : "";
  std::uint64_t room = kUnknown;
  while (true) {
    const std::string folder = "/sys/fs/cgroup" + path;
    const std::uint64_t limit = number_in(folder + "/memory.max");
    const std::uint64_t used = number_in(folder + "/memory.current");
    if (limit != kUnknown && used != kUnknown) room = std::min(room, limit - std::min(limit, used));
    if (path.empty()) return room;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

struct Pages {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

// The largest piece that was given back and is small enough to be kept.
class Kept {
 public:
  static Kept& instance() {
    static Kept* const kept = new Kept;  // never destroyed: a device may outlive static destruction
    return *kept;
  }

  Pages take(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (pages_.bytes < bytes) return {};
    return std::exchange(pages_, {});
  }

  // Gives back the smaller one.
  void put(Pages pages) {
    if (pages.bytes <= kMaxKeptBytes) {
      const std::lock_guard lock(mutex_);
      if (pages_.bytes < pages.bytes) std::swap(pages_, pages);
    }
    if (pages.data != nullptr) unmap_pages(pages.data, pages.bytes);
  }

  void trim() {
    Pages pages;
    {
      const std::lock_guard lock(mutex_);
      pages = std::exchange(pages_, {});
    }
    if (pages.data != nullptr) unmap_pages(pages.data, pages.bytes);
  }

 private:
  std::mutex mutex_;
  Pages pages_;
};

}  // namespace

ResidentNeed resident_need(const abi::KernelInfo& info, std::uint64_t blocks) {
  ResidentNeed need;
  need.blocks = blocks;
  need.shared_bytes = info.shared_bytes;
  need.frame_bytes = info.resident_bytes;
  const std::uint64_t align = std::max(info.frame_align, kSharedAlign);
  need.frame_offset = abi::frame_stride(info.shared_bytes, align);
  need.block_bytes = need.frame_offset + abi::frame_stride(info.resident_bytes, align);
  need.total_bytes = product(blocks, need.block_bytes);
  return need;
}

std::optional<std::string> refusal(const ResidentNeed& need, std::uint64_t limit_bytes) {
  const std::uint64_t of_environment = env::cooperative_mib() << 20;
  const std::uint64_t allowed = limit_bytes != 0 ? limit_bytes : of_environment != 0 ? of_environment : kUnknown;
  // To ask the machine takes longer than to run a small grid: what would be kept for the next dispatch is just
  // allocated.
  const bool is_small = need.total_bytes && *need.total_bytes <= kMaxKeptBytes;
  const std::uint64_t available = is_small ? kUnknown : available_memory_bytes();
  if (need.total_bytes && *need.total_bytes <= std::min(allowed, available)) return std::nullopt;
  const std::string total = need.total_bytes ? with_separators(*need.total_bytes) : "more than 2^64";
  const std::string room = available <= allowed ? fmt::format("the machine has {} left", with_separators(available))
                                                : fmt::format("the limit of {} is {}",
                                                              limit_bytes != 0 ? "the launch" : "WEFT_COOPERATIVE_MIB",
                                                              with_separators(allowed));
  return fmt::format("{} blocks that live at once need {} bytes, {} each ({} for frames, {} of shared memory), and {}",
                     with_separators(need.blocks), total, with_separators(need.block_bytes),
                     with_separators(need.frame_bytes), with_separators(need.shared_bytes), room);
}

std::uint64_t available_memory_bytes() { return std::min(free_memory_bytes(), cgroup_room_bytes()); }

bool ResidentMemory::allocate(std::uint64_t bytes) {
  reset();
  if (bytes == 0) bytes = 1;
  const Pages kept = Kept::instance().take(bytes);
  data_ = kept.data != nullptr ? kept.data : map_pages(bytes);
  bytes_ = kept.data != nullptr ? kept.bytes : bytes;
  return data_ != nullptr;
}

void ResidentMemory::reset() {
  if (data_ != nullptr) Kept::instance().put({std::exchange(data_, nullptr), std::exchange(bytes_, 0)});
}

void trim_resident_memory() { Kept::instance().trim(); }

}  // namespace weft::runtime
