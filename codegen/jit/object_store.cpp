#include "codegen/jit/object_store.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "runtime/support/files.h"

namespace weft::jit {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "fields are copied as they are");

constexpr std::string_view kMagic = "WEFTOBJ1";
constexpr std::string_view kSuffix = ".weftobj";
constexpr std::string_view kTemporarySuffix = ".tmp";  // of replace_file
constexpr std::size_t kKeyDigits = 32;

// After an eviction there is room for some objects, so that not each one that is added looks at the whole folder.
constexpr std::uint64_t kKeptOf16 = 14;
// A temporary file that is older was left behind by a process that ended.
constexpr auto kTemporaryLifetime = std::chrono::hours(1);

struct Header {
  char magic[8];
  std::uint64_t checksum;  // of all that follows
  std::uint64_t key_high;
  std::uint64_t key_low;
  std::uint32_t name_bytes;
  std::uint32_t pack_width;
  std::uint64_t object_bytes;
};
static_assert(sizeof(Header) == 48);
constexpr std::size_t kChecked = offsetof(Header, key_high);  // where the checksum begins

struct File {
  std::vector<std::byte> bytes;
  std::string problem;
  bool exists = true;

  [[nodiscard]] Header header() const {
    Header out{};
    std::memcpy(&out, bytes.data(), sizeof out);
    return out;
  }
  [[nodiscard]] ObjectStore::Object object() const {
    const Header h = header();
    const auto object_begin = bytes.end() - static_cast<std::ptrdiff_t>(h.object_bytes);
    return {{reinterpret_cast<const char*>(bytes.data()) + sizeof h, h.name_bytes},
            h.pack_width,
            {object_begin, bytes.end()}};
  }
};

class Descriptor {
 public:
  explicit Descriptor(const fs::path& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// What keeps an open file from being one of ours, or nothing.
std::string misfit(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return "it is no file";
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return "another user owns it";
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return "others may write to it";
  }
  if (static_cast<std::size_t>(status.st_size) < sizeof(Header)) {
    return "it is truncated";
  }
  return {};
}

std::string damage(std::span<const std::byte> bytes, const Header& header) {
  if (std::memcmp(header.magic, kMagic.data(), kMagic.size()) != 0) {
    return "it is of another format";
  }
  if (bytes.size() - sizeof(Header) < header.name_bytes ||
      bytes.size() - sizeof(Header) - header.name_bytes != header.object_bytes) {
    return "it is truncated";
  }
  if (checksum(bytes.subspan(kChecked)) != header.checksum) {
    return "its checksum is wrong";
  }
  return {};
}

bool read_all(int descriptor, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  return true;
}

// Reads and checks a file. With `use`, it counts as used from now on.
File read(const fs::path& path, bool use) {
  const Descriptor descriptor(path);
  if (descriptor.number() < 0) {
    return {{}, std::strerror(errno), errno != ENOENT};
  }
  struct stat status{};
  if (::fstat(descriptor.number(), &status) != 0) {
    return {{}, std::strerror(errno)};
  }
  File file{{}, misfit(status)};
  if (!file.problem.empty()) {
    return file;
  }
  file.bytes.resize(static_cast<std::size_t>(status.st_size));
  file.problem = read_all(descriptor.number(), file.bytes) ? damage(file.bytes, file.header()) : "it cannot be read";
  if (use && file.problem.empty()) {
    ::futimens(descriptor.number(), nullptr);  // on a read-only disk nothing is evicted either
  }
  return file;
}

bool is_hexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_own_name(std::string_view name) {
  return name.size() >= kKeyDigits + kSuffix.size() && is_hexadecimal(name.substr(0, kKeyDigits)) &&
         name.substr(kKeyDigits).starts_with(kSuffix);
}

// Calls `function` with each file of the folder that a store made.
template <typename Function>
void for_each_file(const fs::path& folder, Function&& function) {
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (is_own_name(i->path().filename().native())) {
      function(i->path());
    }
  }
}

std::vector<ObjectStore::Entry> entries_of(const fs::path& folder, std::string_view suffix) {
  std::vector<ObjectStore::Entry> entries;
  for_each_file(folder, [&](const fs::path& file) {
    std::error_code gone;
    const ObjectStore::Entry entry{file, fs::file_size(file, gone), fs::last_write_time(file, gone)};
    if (!gone && file.native().ends_with(suffix)) {
      entries.push_back(entry);
    }
  });
  std::ranges::sort(entries, [](const auto& a, const auto& b) { return a.last_used > b.last_used; });
  return entries;
}

}  // namespace

ObjectStore::ObjectStore(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

fs::path ObjectStore::file_of(const Digest& key) const { return folder_ / fmt::format("{}{}", key.text(), kSuffix); }

ObjectStore::Found ObjectStore::find(const Digest& key) const {
  const fs::path path = file_of(key);
  File file = read(path, true);
  if (!file.exists) {
    return {};
  }
  if (file.problem.empty() && Digest{file.header().key_high, file.header().key_low} != key) {
    file.problem = "it was made for another key";
  }
  if (!file.problem.empty()) {
    return {{}, fmt::format("'{}' is not used: {}", path.string(), file.problem)};
  }
  return {file.object(), {}};
}

std::string ObjectStore::add(const Digest& key, std::string_view kernel, std::uint32_t pack_width,
                             std::span<const std::byte> object) const {
  const Header header{{}, 0, key.high, key.low, static_cast<std::uint32_t>(kernel.size()), pack_width, object.size()};
  std::vector<std::byte> bytes(sizeof header + kernel.size() + object.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  std::ranges::copy(std::as_bytes(std::span(kernel)), bytes.begin() + sizeof header);
  std::ranges::copy(object, bytes.end() - static_cast<std::ptrdiff_t>(object.size()));
  const std::uint64_t sum = checksum(std::span(bytes).subspan(kChecked));
  std::memcpy(bytes.data() + offsetof(Header, checksum), &sum, sizeof sum);
  try {
    fs::create_directories(folder_);
    replace_file(file_of(key), bytes);
  } catch (const std::exception& error) {
    return error.what();
  }
  evict();
  return {};
}

std::vector<ObjectStore::Entry> ObjectStore::entries() const { return entries_of(folder_, kSuffix); }

ObjectStore::Found ObjectStore::inspect(const fs::path& path) {
  const File file = read(path, false);
  if (!file.problem.empty()) {
    return {{}, file.problem};
  }
  return {file.object(), {}};
}

bool ObjectStore::remove(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  return !error;
}

void ObjectStore::evict() const {
  for (const Entry& temporary : entries_of(folder_, kTemporarySuffix)) {
    if (fs::file_time_type::clock::now() - temporary.last_used > kTemporaryLifetime) {
      remove(temporary.file);
    }
  }
  std::uint64_t sum = 0;
  const std::vector<Entry> all = entries();
  for (const Entry& entry : all) {
    sum += entry.size_bytes;
  }
  if (sum <= limit_bytes_) {
    return;
  }
  const std::uint64_t kept = limit_bytes_ / 16 * kKeptOf16;
  for (auto oldest = all.rbegin(); oldest != all.rend() && sum > kept; ++oldest) {
    sum -= remove(oldest->file) ? oldest->size_bytes : 0;
  }
}

}  // namespace weft::jit
