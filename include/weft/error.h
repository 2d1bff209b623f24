// What Weft throws. Every class derives from weft::Error; the message names the thing, what was found and what was
// expected, so that showing what() is enough.
#pragma once

#include <weft/export.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace weft {

class WEFT_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A kernel or callable is written wrongly in the DSL. what() reads as a compiler's message:
//
//   renderer/particles.cpp:41:9: error: break_ stands outside of any loop
//   renderer/particles.cpp:30:20: note: in kernel 'kinetic'
class WEFT_API DslError : public Error {
 public:
  struct Details {
    std::string file;  // of the user's code
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;  // without place and notes
  };

  DslError(const std::string& text, Details details) : Error(text), details_(std::move(details)) {}

  const Details& details() const { return details_; }

 private:
  Details details_;
};

// An object is used wrongly: sizes, types, dead handles, another device's objects. Nothing has run.
class WEFT_API UsageError : public Error {
 public:
  using Error::Error;
};

// A device cannot be had: an unknown name, a module that does not load, a processor that lacks what Weft needs.
class WEFT_API DeviceError : public Error {
 public:
  using Error::Error;
};

// A kernel's text, a shader file or a kernel itself is wrong or unsupported. The message holds all diagnostics.
class WEFT_API CompileError : public Error {
 public:
  using Error::Error;
};

// The host has no memory for a buffer, or for blocks that all live at once.
class WEFT_API OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

// A file cannot be read or written.
class WEFT_API FileError : public Error {
 public:
  using Error::Error;
};

// A dispatch was cancelled before all its blocks had run.
class WEFT_API DispatchCancelled : public Error {
 public:
  using Error::Error;
};

// A kernel misbehaved while it ran. The rest of its dispatch was stopped; the device is still usable.
class WEFT_API KernelFault : public Error {
 public:
  enum class Kind {
    assertion,
    unreachable,
    out_of_memory,
    out_of_bounds,
    broken_barrier,
    uninitialised_read,
    endless_wait
  };

  struct Details {
    Kind kind = Kind::assertion;
    std::string kernel;
    std::string message;  // the condition or message of an assertion; what memory was wanted
    std::string file;     // of the kernel's source; empty if the place is unknown
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::array<std::uint32_t, 3> block{};
    std::optional<std::array<std::uint32_t, 3>> lane;  // within its block; none if the whole block is concerned
    std::uint64_t dispatch_lanes = 0;
  };

  KernelFault(const std::string& text, Details details) : Error(text), details_(std::move(details)) {}

  const Details& details() const { return details_; }

 private:
  Details details_;
};

}  // namespace weft
