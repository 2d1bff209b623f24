// Files that are there while a test runs, and what reading one of them throws.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "examples/multifrontal/matrix.h"

namespace multifrontal {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("multifrontal_" + std::to_string(getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The message without the path of the file: "3: error: ...".
template <typename Read>
std::string error_of(const std::string& name, const std::string& text, const Read& read) {
  const TemporaryFile file(name, text);
  try {
    read(file.path());
  } catch (const InputError& error) {
    return std::string(error.what()).substr(file.path().string().size() + 1);
  }
  return "no error";
}

}  // namespace multifrontal
