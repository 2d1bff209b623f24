// Whole files.
#include "runtime/support/files.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / ("weft-files-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const weft::FileError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("files: what was written is read back, zero bytes and all") {
  const TemporaryFolder folder;
  std::string text(100'000, 'x');
  text[5] = '\0';
  weft::write_file(folder / "a", std::as_bytes(std::span(text)));
  CHECK(weft::read_file(folder / "a") == text);
  weft::write_file(folder / "a", {});
  CHECK(weft::read_file(folder / "a").empty());
}

TEST_CASE("files: replacing leaves the new file and nothing else") {
  const TemporaryFolder folder;
  const std::string before = "before";
  const std::string after = "after";
  weft::replace_file(folder / "a", std::as_bytes(std::span(before)));
  weft::replace_file(folder / "a", std::as_bytes(std::span(after)));
  CHECK(weft::read_file(folder / "a") == after);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("files: a failure names the action, the file and the reason") {
  const TemporaryFolder folder;
  CHECK(failure_of([&] { weft::read_file(folder / "none"); }) ==
        "cannot open '" + (folder / "none").string() + "': No such file or directory");
  CHECK(failure_of([&] { weft::read_file(folder.path()); }) ==
        "cannot read '" + folder.path().string() + "': Is a directory");
  const std::string text = "text";
  CHECK(failure_of([&] { weft::write_file("/dev/full", std::as_bytes(std::span(text))); }) ==
        "cannot write '/dev/full': No space left on device");
}
