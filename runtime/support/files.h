// Whole files, read and written at once. A failure is a FileError that says what was tried, on which file, and what the
// operating system answered: a disk that is full is noticed.
#pragma once

#include <weft/error.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace weft {

std::string read_file(const std::filesystem::path& path);

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

// The same by way of a temporary file beside it, so that other processes see the old file, or the whole new one. Others
// may read the file, and never write to it.
void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace weft
