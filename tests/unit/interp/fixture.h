// Runs kernels given as text in the interpreter.
#pragma once

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "codegen/interp/machine.h"
#include "codegen/ir/arguments.h"
#include "codegen/ir/verify/verify.h"
#include "codegen/passes/prepare.h"

namespace weft::interp::testing {

// Parsed and prepared; fails the test with the diagnostics if it cannot be.
inline std::unique_ptr<ir::Module> prepared(const std::string& source, const passes::PrepareOptions& options = {}) {
  auto module = ir::parse_verified(source, "test.weft");
  if (!module) {
    SourceTexts texts;
    texts.add("test.weft", source);
    FAIL(print(module.diagnostics(), texts));
  }
  auto result = passes::prepare(**module, {}, options);
  if (!result) {
    FAIL(print(result.diagnostics()));
  }
  return std::move(*result);
}

// An argument block: buffers are vectors of the caller, values are copied. In the order of the kernel's parameters.
class Arguments {
 public:
  template <class... T>
  explicit Arguments(const ir::Module& module, T&... arguments)
      : layout_(ir::layout_arguments(module.types, *module.find_kernel())), bytes_(layout_.size_bytes) {
    REQUIRE(layout_.slots.size() == sizeof...(T));
    (add(arguments), ...);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  template <class T>
  void add(std::vector<T>& buffer) {
    const std::array<std::uint64_t, 2> words{std::bit_cast<std::uint64_t>(buffer.data()), buffer.size()};
    std::memcpy(slot(), words.data(), sizeof(words));
    ++next_;
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(T& value) {
    REQUIRE(layout_.slots[next_].size_bytes == sizeof(T));
    std::memcpy(slot(), &value, sizeof(T));
    ++next_;
  }
  [[nodiscard]] std::byte* slot() { return bytes_.data() + layout_.slots[next_].offset_bytes; }

  ir::ArgumentLayout layout_;
  std::vector<std::byte> bytes_;
  std::size_t next_ = 0;
};

// Runs the only kernel of a module over `size` lanes.
template <class... T>
Outcome run(const ir::Module& module, const Size3& size, const Options& options, T&... arguments) {
  const Arguments block(module, arguments...);
  Machine machine(module, *module.find_kernel(), options);
  return machine.run({.arguments = block.bytes(), .size = size});
}

}  // namespace weft::interp::testing
