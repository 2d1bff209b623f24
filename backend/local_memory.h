// A buffer of the devices that are built in: memory of the host.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::backend {

// Aligned to 64 and readable as such up to its last byte. A memory of no bytes has an address all the same.
class LocalMemory {
 public:
  // Throws OutOfMemoryError.
  explicit LocalMemory(std::uint64_t size_bytes);
  ~LocalMemory();
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  bool is_mapped() const;

  std::uint64_t size_bytes_;
  std::byte* data_;
};

}  // namespace weft::backend
