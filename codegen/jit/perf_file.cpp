// The formats: tools/perf/Documentation/jit-interface.txt and jitdump-specification.txt of Linux.
#include "codegen/jit/perf_file.h"

#include <fmt/format.h>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

namespace weft::jit {

namespace {

// A file that this process alone writes. Another user's file or link of that name is not touched: the folder is shared.
class OutputFile {
 public:
  explicit OutputFile(std::string name) : name_(std::move(name)) {
    constexpr mode_t kMode = 0644;
    ::unlink(name_.c_str());  // of a process that had our number
    descriptor_ = ::open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, kMode);
    if (descriptor_ < 0) {
      problem_ = fmt::format("cannot create '{}': {}", name_, std::strerror(errno));
    }
  }
  ~OutputFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // All of it in one go, so that a reader sees whole records; nothing more once the disk is full.
  void write(std::string_view bytes) {
    if (descriptor_ >= 0 && ::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      ::close(std::exchange(descriptor_, -1));
    }
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  std::string problem_;
};

class PerfMap final : public PerfFile {
 public:
  PerfMap() : file_(fmt::format("/tmp/perf-{}.map", ::getpid())) {}
  void add(const CodeSymbol& symbol) override {
    file_.write(fmt::format("{:x} {:x} {}\n", symbol.address, symbol.code.size(), symbol.name));
  }
  [[nodiscard]] const std::string& problem() const { return file_.problem(); }

 private:
  OutputFile file_;
};

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint64_t now_ns() {  // as perf record -k mono
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

class JitDump final : public PerfFile {
 public:
  JitDump() : file_(fmt::format("/tmp/jit-{}.dump", ::getpid())) {
    if (file_.descriptor() < 0) {
      return;
    }
    constexpr std::uint32_t kMagic = 0x4A695444;  // "JiTD"
    constexpr std::uint32_t kVersion = 1;
    constexpr std::uint32_t kHeaderBytes = 40;
    std::string header;
    append(header, kMagic);
    append(header, kVersion);
    append(header, kHeaderBytes);
    append(header, std::uint32_t{EM_X86_64});
    append(header, std::uint32_t{0});
    append(header, static_cast<std::uint32_t>(::getpid()));
    append(header, now_ns());
    append(header, std::uint64_t{0});
    file_.write(header);
    // perf record notes files that are mapped as code: this is how it learns of this one.
    page_bytes_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    mark_ = ::mmap(nullptr, page_bytes_, PROT_READ | PROT_EXEC, MAP_PRIVATE, file_.descriptor(), 0);
  }
  ~JitDump() override {
    if (mark_ != MAP_FAILED) {
      ::munmap(mark_, page_bytes_);
    }
  }
  JitDump(const JitDump&) = delete;
  JitDump& operator=(const JitDump&) = delete;

  void add(const CodeSymbol& symbol) override {
    if (!symbol.lines.empty()) {
      write_record(Record::debug_info, debug_info(symbol));  // before the code that it is about
    }
    write_record(Record::load, load(symbol));
  }
  [[nodiscard]] const std::string& problem() const { return file_.problem(); }

 private:
  enum class Record : std::uint32_t { load = 0, debug_info = 2 };

  void write_record(Record kind, const std::string& body) {
    std::string record;
    append(record, kind);
    append(record, static_cast<std::uint32_t>(body.size() + 16));
    append(record, now_ns());
    file_.write(record + body);
  }

  std::string load(const CodeSymbol& symbol) {
    std::string body;
    append(body, static_cast<std::uint32_t>(::getpid()));
    append(body, static_cast<std::uint32_t>(::gettid()));
    append(body, symbol.address);
    append(body, symbol.address);
    append(body, std::uint64_t{symbol.code.size()});
    append(body, ++code_index_);
    body.append(symbol.name.c_str(), symbol.name.size() + 1);
    body.append(symbol.code.data(), symbol.code.size());
    return body;
  }

  static std::string debug_info(const CodeSymbol& symbol) {
    std::string body;
    append(body, symbol.address);
    append(body, std::uint64_t{symbol.lines.size()});
    for (const CodeLine& line : symbol.lines) {
      append(body, line.address);
      append(body, line.line);
      append(body, std::uint32_t{0});
      body.append(line.file.c_str(), line.file.size() + 1);
    }
    return body;
  }

  OutputFile file_;
  void* mark_ = MAP_FAILED;
  std::size_t page_bytes_ = 0;
  std::uint64_t code_index_ = 0;
};

template <typename File>
std::unique_ptr<PerfFile> open_file(std::string& problem) {
  auto file = std::make_unique<File>();
  problem = file->problem();
  return problem.empty() ? std::move(file) : nullptr;
}

}  // namespace

std::unique_ptr<PerfFile> open_perf_map(std::string& problem) { return open_file<PerfMap>(problem); }
std::unique_ptr<PerfFile> open_jitdump(std::string& problem) { return open_file<JitDump>(problem); }

}  // namespace weft::jit
