#include "runtime/support/files.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

namespace weft {
namespace {

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
  throw FileError(fmt::format("cannot {} '{}': {}", action, path.string(), std::strerror(error)));
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, std::string_view action, mode_t mode = 0666)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (number_ < 0) fail(action, path, errno);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Some file systems tell only here that there is no room.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

void write_all(Descriptor file, const std::filesystem::path& path, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count >= 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) fail("write", path, errno);
  }
  if (!file.close()) fail("write", path, errno);
}

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

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
  write_all(Descriptor(path, O_WRONLY | O_CREAT | O_TRUNC, "write"), path, bytes);
}

void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{:016x}.tmp", random_number());
  // Nobody else opens a file of this name: neither another process of the same number in another container, nor one
  // that wants its bytes written elsewhere. The group may not write to it, whatever the umask says.
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL, "write", 0644);
  try {
    write_all(std::move(file), temporary, bytes);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace weft
