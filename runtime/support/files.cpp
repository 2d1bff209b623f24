#include "runtime/support/files.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace weft {
namespace {

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
  throw FileError(fmt::format("cannot {} '{}': {}", action, path.string(), std::strerror(error)));
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, std::string_view action)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(action, path, errno);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Some file systems tell only here that there is no room.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY, "open");
  std::string bytes;
  char piece[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.number(), piece, sizeof piece);
    if (count == 0) return bytes;
    if (count > 0) bytes.append(piece, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) fail("read", path, errno);
  }
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC, "write");
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count >= 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) fail("write", path, errno);
  }
  if (!file.close()) fail("write", path, errno);
}

void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  static std::atomic<unsigned> counter{0};  // orders nothing
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.{}.tmp", ::getpid(), counter.fetch_add(1, std::memory_order_relaxed));
  try {
    write_file(temporary, bytes);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace weft
