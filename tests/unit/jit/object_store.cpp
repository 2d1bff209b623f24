// Objects on disk: what was written is found, what is damaged, foreign or cut off is not, and a disk that takes nothing
// is no error.
#include "codegen/jit/object_store.h"

#include "runtime/support/files.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

using namespace weft;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

constexpr Digest kKey{1, 2};
constexpr std::uint64_t kPlenty = 1 << 20;

std::vector<std::byte> object_of(std::size_t size, int seed) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(seed));
  return bytes;
}

fs::path only_file(const jit::ObjectStore& store) {
  const auto entries = store.entries();
  REQUIRE(entries.size() == 1);
  return entries[0].file;
}

// Limits the size of files for a scope. Only writes fail then.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : action_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, action_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*action_)(int);
};

}  // namespace

TEST_CASE("object store: what was added is found, by another store of the folder too") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder / "a/b", kPlenty);
  CHECK_FALSE(store.find(kKey).object);
  CHECK(store.find(kKey).problem.empty());
  CHECK(store.add(kKey, "kernel", 16, object_of(1000, 1)).empty());
  CHECK(store.add({1, 3}, "empty", 16, {}).empty());
  const jit::ObjectStore other(folder / "a/b", kPlenty);
  REQUIRE(other.find(kKey).object);
  CHECK(other.find(kKey).object->bytes == object_of(1000, 1));
  CHECK(other.find(kKey).object->kernel == "kernel");
  CHECK(other.find(kKey).object->pack_width == 16);
  REQUIRE(other.find({1, 3}).object);
  CHECK(other.find({1, 3}).object->bytes.empty());
  CHECK_FALSE(other.find({2, 1}).object);
}

TEST_CASE("object store: the last of several objects of a key is kept") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  store.add(kKey, "kernel", 16, object_of(1000, 1));
  store.add(kKey, "kernel", 16, object_of(10, 2));
  CHECK(store.find(kKey).object->bytes == object_of(10, 2));
  CHECK(store.entries().size() == 1);
}

TEST_CASE("object store: a file that is cut off anywhere is not taken, and is replaced") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  store.add(kKey, "kernel", 16, object_of(100, 1));
  const fs::path file = only_file(store);
  const std::string whole = read_file(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(file, std::as_bytes(std::span(whole)).first(size));
    const auto found = store.find(kKey);
    CHECK_FALSE(found.object);
    CHECK_FALSE(found.problem.empty());
    CHECK(jit::ObjectStore::inspect(file).problem == "it is truncated");
  }
  CHECK(store.add(kKey, "kernel", 16, object_of(100, 1)).empty());
  CHECK(store.find(kKey).object);
}

TEST_CASE("object store: a file with any bit flipped, or with more bytes, is not taken") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  store.add(kKey, "kernel", 16, object_of(100, 1));
  const fs::path file = only_file(store);
  const std::string whole = read_file(file);
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    write_file(file, std::as_bytes(std::span(damaged)));
    if (store.find(kKey).object) FAIL("bit " << bit << " does not count");
  }
  const std::string longer = whole + "x";
  write_file(file, std::as_bytes(std::span(longer)));
  CHECK_FALSE(store.find(kKey).object);
}

TEST_CASE("object store: a file under another's name is not taken") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  store.add({3, 4}, "other", 16, object_of(100, 1));
  const fs::path other = only_file(store);
  store.add(kKey, "kernel", 16, object_of(100, 2));
  fs::copy_file(other, folder / (kKey.text() + ".weftobj"), fs::copy_options::overwrite_existing);
  CHECK_FALSE(store.find(kKey).object);
  CHECK_THAT(store.find(kKey).problem, Catch::Matchers::Contains("another key"));
}

TEST_CASE("object store: what others may write to is not taken") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  const mode_t before = ::umask(0);
  store.add(kKey, "kernel", 16, object_of(100, 1));
  ::umask(before);
  const fs::path file = only_file(store);
  CHECK(store.find(kKey).object);
  for (const fs::perms who : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(file, fs::perms::owner_all | who);
    CHECK_FALSE(store.find(kKey).object);
  }
  fs::permissions(file, fs::perms::owner_all);
  fs::rename(file, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", file);
  CHECK_FALSE(store.find(kKey).object);
  if (::geteuid() == 0) {
    fs::remove(file);
    fs::rename(folder / "elsewhere", file);
    CHECK(store.find(kKey).object);
    REQUIRE(::chown(file.c_str(), 12345, 12345) == 0);
    CHECK_FALSE(store.find(kKey).object);
  }
}

TEST_CASE("object store: a disk that is full leaves nothing behind") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), kPlenty);
  store.add({3, 4}, "small", 16, object_of(100, 1));
  {
    const FileSizeLimit limit(500);
    CHECK_THAT(store.add(kKey, "large", 16, object_of(1000, 1)), Catch::Matchers::Contains("File too large"));
  }
  CHECK_FALSE(store.find(kKey).object);
  CHECK(store.find({3, 4}).object);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("object store: a folder that cannot be made is told, and nothing is found in it") {
  const TemporaryFolder folder("store");
  write_file(folder / "file", object_of(1, 1));
  for (const char* place : {"file/cache", "file"}) {
    const jit::ObjectStore store(folder / place, kPlenty);
    CHECK_FALSE(store.add(kKey, "kernel", 16, object_of(100, 1)).empty());
    CHECK_FALSE(store.find(kKey).object);
    CHECK(store.entries().empty());
  }
  const jit::ObjectStore nowhere("/proc/weft/cache", kPlenty);
  CHECK_FALSE(nowhere.add(kKey, "kernel", 16, object_of(100, 1)).empty());
  CHECK_FALSE(nowhere.find(kKey).object);
}

TEST_CASE("object store: beyond its limit the objects that were not used for longest go") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), 10'000);
  const auto age = [&](std::uint64_t key, int seconds) {
    const fs::path file = folder / (Digest{0, key}.text() + ".weftobj");
    fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(seconds));
  };
  for (std::uint64_t key = 0; key < 9; ++key) {
    store.add({0, key}, "kernel", 16, object_of(1000, 1));
    age(key, 100 - static_cast<int>(key));
  }
  CHECK(store.entries().size() == 9);
  CHECK(store.find({0, 0}).object);  // used again, though the oldest
  store.add({0, 9}, "kernel", 16, object_of(1000, 1));
  CHECK(store.find({0, 0}).object);
  CHECK(store.find({0, 9}).object);
  CHECK_FALSE(store.find({0, 1}).object);
  std::uint64_t sum = 0;
  for (const auto& entry : store.entries()) sum += entry.size_bytes;
  CHECK(sum <= 10'000);
  CHECK(sum >= 6'000);
}

TEST_CASE("object store: files of others in its folder stay, its own that were left half-written go") {
  const TemporaryFolder folder("store");
  const jit::ObjectStore store(folder.path(), 2000);
  const fs::path left = folder / (kKey.text() + ".weftobj.0123456789abcdef.tmp");
  const fs::path young = folder / (kKey.text() + ".weftobj.fedcba9876543210.tmp");
  const fs::path foreign = folder / "notes.txt";
  for (const fs::path& file : {left, young, foreign}) write_file(file, object_of(5000, 1));
  for (const fs::path& file : {left, foreign}) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  store.add(kKey, "kernel", 16, object_of(100, 1));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(young));
  CHECK(fs::exists(foreign));
  CHECK(store.entries().size() == 1);
}

TEST_CASE("object store: many threads add and find at once, and never see half an object") {
  const TemporaryFolder folder("store");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const jit::ObjectStore store(folder.path(), 40'000);  // so that some are removed meanwhile
      for (int i = 0; i < 200; ++i) {
        const auto key = static_cast<std::uint64_t>(i % 7);
        const std::vector<std::byte> object = object_of(3000 + key * 1000, static_cast<int>(key));
        if (i % 2 == t % 2) wrong += store.add({9, key}, "kernel", 16, object).empty() ? 0 : 1;
        const auto found = store.find({9, key});
        wrong += found.problem.empty() && (!found.object || found.object->bytes == object) ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
