// Runs a kernel in the reference interpreter and as compiled code, each over its own copy of the same memory, to
// compare what they leave there. An object that needs functions other than the runtime's helpers does not load, so each
// run also shows that the code generator made no library call of an op.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/interp/machine.h"
#include "codegen/jit/compile.h"

namespace weft::jit::testing {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* data = reinterpret_cast<const std::byte*>(values.data());
  return {data, data + values.size() * sizeof(T)};
}

// The arguments of a kernel's parameters in order: a buffer's contents, or a value's bytes.
using Memory = std::vector<Bytes>;

// How to compile: at which width and for which cpu.
struct Way {
  std::uint32_t width;
  const char* cpu;
  Effort effort = Effort::full;
  Form form = Form::automatic;

  [[nodiscard]] std::string text() const;
};

// Every width with every cpu that this machine can run, and one compiled with minimal effort.
[[nodiscard]] std::vector<Way> all_ways();
// The same at the one width that a warp size allows.
[[nodiscard]] std::vector<Way> ways_of_width(std::uint32_t width);

// A module from its text form; fails the test with the diagnostics if it is none.
[[nodiscard]] std::unique_ptr<ir::Module> parsed(const std::string& source);

// The memory after the only kernel of a module has run over `size` lanes; fails the test if that cannot be done.
[[nodiscard]] Memory interpreted(const ir::Module& module, interp::Size3 size, Memory memory);
[[nodiscard]] Memory compiled(const ir::Module& module, interp::Size3 size, Memory memory, const Way& way);

// Compiles the kernel every way, runs it, and checks that each leaves the same as the interpreter, bit by bit but for
// the payloads of NaN. What differs is told by `describe(parameter, element)`.
using Describe = std::function<std::string(std::size_t parameter, std::uint64_t element)>;
void check_same(const ir::Module& module, interp::Size3 size, const Memory& memory, const std::vector<Way>& ways,
                const Describe& describe = {});
// The same for a kernel in the text form.
void check_same(const std::string& source, interp::Size3 size, const Memory& memory, const std::vector<Way>& ways);

}  // namespace weft::jit::testing
