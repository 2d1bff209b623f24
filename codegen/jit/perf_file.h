// The files that perf reads: see profiler.h. What cannot be written is told once, as text, and nothing more is written.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::jit {

struct CodeLine {
  std::uint64_t address;
  std::uint32_t line;
  std::string file;
};

// One function, where it runs.
struct CodeSymbol {
  std::string name;
  std::uint64_t address;
  std::span<const char> code;
  std::vector<CodeLine> lines;  // by address; may be empty
};

class PerfFile {
 public:
  virtual ~PerfFile() = default;
  // From one thread at a time.
  virtual void add(const CodeSymbol& symbol) = 0;
};

// perf finds these by their names, which hold the process's number. Null where the file cannot be made; `problem` says
// why then.
[[nodiscard]] std::unique_ptr<PerfFile> open_perf_map(std::string& problem);
[[nodiscard]] std::unique_ptr<PerfFile> open_jitdump(std::string& problem);

}  // namespace weft::jit
