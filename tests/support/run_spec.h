// Runs of kernels that a test's .weft file asks for, each in a comment line:
//
//   ; run: dispatch(8) in=[1, 2, 3, 4] n=4 out=zeros(8) -> out == [1, 2, 3, 4, 0, 0, 0, 0]
//   ; run: @sum dispatch(64, 2) in=iota(128) out=zeros(1) spec.3=16 -> out == [8128], in == iota(128)
//   ; run: dispatch(4) x=2.5 -> prints "a" "b", fault "index < count"
//
// A line with `interp:` in place of `run:` is for the interpreter alone: kernels that break rules, which it reports.
//
// Left of the arrow: the kernel, which may be left out where there is only one; the dispatch in lanes, one if left out;
// all arguments by name; specialisation constants by id. Right of it what must hold afterwards. A buffer is a list of
// the scalars of its elements in order, zeros(N) or iota(N), with N its number of elements (bytes of a byte buffer);
// iota counts scalars from 0. Scalars are as in the text form; in an expected list `_` stands for any value, and a NaN
// is any NaN. `fault` gives part of the fault's message; without it no fault may occur. `prints` gives all printed
// lines, in any order.
//
// A run is data: whoever has a way of running kernels takes the argument block, runs, and asks mismatch().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::test {

struct RunArgument {
  std::string name;
  ir::TypeId type;               // of the parameter
  std::uint64_t count = 0;       // elements of a buffer, bytes of a byte buffer
  std::vector<std::byte> bytes;  // of the value, or of all elements
};

struct RunExpectation {
  std::size_t argument = 0;
  std::vector<std::optional<std::uint64_t>> scalars;  // bits; nothing for `_`
};

struct RunSpec {
  std::uint32_t line = 0;
  bool interpreter_only = false;
  std::string kernel;  // empty for the only one
  std::array<std::uint32_t, 3> dispatch{1, 1, 1};
  std::map<std::uint32_t, ir::Constant> spec_values;
  std::vector<RunArgument> arguments;  // by parameter
  std::vector<RunExpectation> expectations;
  std::optional<std::string> fault;
  std::optional<std::vector<std::string>> prints;
};

// What became of a run, but for its buffers.
struct RunOutcome {
  std::string fault;  // its message; empty without one
  std::vector<std::string> prints;
};

// A run line, or what is wrong with it.
struct ParsedRun {
  RunSpec run;
  std::string error;
};

// All run lines of a file. The module is the file's.
[[nodiscard]] std::vector<ParsedRun> parse_runs(const ir::Module& module, std::string_view source);

// One run line: what follows the colon.
[[nodiscard]] ParsedRun parse_run(const ir::Module& module, std::string_view text);

// The argument block of the kernel, with the addresses of the run's buffers: running the kernel changes those.
[[nodiscard]] std::vector<std::byte> argument_block(const ir::Module& module, RunSpec& run);

// What is not as expected after the kernel ran over `run`; empty if all is.
[[nodiscard]] std::string mismatch(const ir::Module& module, const RunSpec& run, const RunOutcome& outcome);

}  // namespace weft::test
