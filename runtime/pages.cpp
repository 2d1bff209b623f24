#include "runtime/pages.h"

#include "runtime/support/check.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

namespace weft::runtime {

std::byte* map_pages(std::uint64_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

void unmap_pages(std::byte* pages, std::uint64_t bytes) {
  // Whoever is given these addresses next must not find them poisoned.
  ASAN_UNPOISON_MEMORY_REGION(pages, bytes);
  WEFT_CHECK_EQ(munmap(pages, bytes), 0);
}

void discard_pages(std::byte* pages, std::uint64_t bytes) { WEFT_CHECK_EQ(madvise(pages, bytes, MADV_DONTNEED), 0); }

}  // namespace weft::runtime
