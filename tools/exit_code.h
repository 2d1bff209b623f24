// How weftc ends. docs/weftc.md and `weftc --help` list the same.
#pragma once

#include <stdexcept>
#include <string>

namespace weft::tools {

enum class ExitCode : int {
  ok = 0,
  diagnostics = 1,  // a kernel, its text or a shader file is wrong
  usage = 2,        // the command line is wrong, or does not fit the kernel
  fault = 3,        // the kernel misbehaved while it ran
  file = 4,         // a file cannot be read or written, or an array file is not understood
  device = 5,       // the device cannot be had, or has no memory
};

// What the command line asks for cannot be: ends the program with ExitCode::usage.
class UsageFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft::tools
