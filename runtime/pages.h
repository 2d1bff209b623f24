// Memory straight from the operating system, for what is large and lives long: page-aligned, zero when fresh, really
// given back. A refusal is a null pointer under every allocator and sanitizer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::runtime {

// Null if there is no memory. `bytes` is not zero.
std::byte* map_pages(std::uint64_t bytes);

// Gives back what map_pages(bytes) gave.
void unmap_pages(std::byte* pages, std::uint64_t bytes);

// Lets the operating system have the memory until it is touched again; its contents become zero.
void discard_pages(std::byte* pages, std::uint64_t bytes);

}  // namespace weft::runtime
