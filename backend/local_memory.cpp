#include "backend/local_memory.h"

#include "runtime/pages.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <new>

namespace weft::backend {
namespace {

constexpr std::align_val_t kAlign{64};

// From this size on memory comes from the operating system in whole pages, and goes back to it.
constexpr std::uint64_t kMappedBytes = std::uint64_t{1} << 20;

}  // namespace

LocalMemory::LocalMemory(std::uint64_t size_bytes) : size_bytes_(size_bytes) {
  data_ = is_mapped() ? runtime::map_pages(size_bytes)
                      : static_cast<std::byte*>(::operator new(size_bytes == 0 ? 1 : size_bytes, kAlign, std::nothrow));
  if (data_ == nullptr) throw OutOfMemoryError(fmt::format("there is no memory for a buffer of {} bytes", size_bytes));
}

LocalMemory::~LocalMemory() {
  if (is_mapped()) {
    runtime::unmap_pages(data_, size_bytes_);
  } else {
    ::operator delete(data_, kAlign);
  }
}

bool LocalMemory::is_mapped() const { return size_bytes_ >= kMappedBytes; }

}  // namespace weft::backend
