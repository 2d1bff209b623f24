// Objects kept on disk by their keys: one file each in a folder that processes share.
//
//   magic "WEFTOBJ1", checksum u64 of what follows, key u64 u64, size of the name u32, pack width u32, size of the
//   object u64, then the kernel's name and the object; all little endian
//
// A file appears whole or not at all, by way of a temporary file and a rename, so that processes need no lock; a file
// that is damaged all the same (lost power, a full disk) is found out by its checksum. Objects are code that will run:
// files that another user owns or may write to are not taken.
//
// Nothing here is an error: what cannot be read is not there, what cannot be written is not kept. What went wrong is
// told as text, for a log. All functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/support/digest.h"

namespace weft::jit {

class ObjectStore {
 public:
  // The folder is made when something is first added. Objects beyond `limit_bytes` in sum are removed, those first that
  // were not used for longest.
  ObjectStore(std::filesystem::path folder, std::uint64_t limit_bytes);

  struct Object {
    std::string kernel;
    std::uint32_t pack_width = 0;
    std::vector<std::byte> bytes;
  };
  struct Found {
    std::optional<Object> object;
    std::string problem;  // why a file that is there was not taken
  };
  // Counts as a use of the object.
  [[nodiscard]] Found find(const Digest& key) const;

  // Gives what went wrong, or nothing.
  std::string add(const Digest& key, std::string_view kernel, std::uint32_t pack_width,
                  std::span<const std::byte> object) const;

  struct Entry {
    std::filesystem::path file;
    std::uint64_t size_bytes = 0;
    std::filesystem::file_time_type last_used;
  };
  // All files of the store, the last used first.
  [[nodiscard]] std::vector<Entry> entries() const;

  // What a file of the store holds, or why it is not usable.
  [[nodiscard]] static Found inspect(const std::filesystem::path& file);

  // Removes a file; one that is gone already is as good.
  static bool remove(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::uint64_t limit_bytes() const { return limit_bytes_; }

 private:
  [[nodiscard]] std::filesystem::path file_of(const Digest& key) const;
  void evict() const;

  const std::filesystem::path folder_;
  const std::uint64_t limit_bytes_;
};

}  // namespace weft::jit
