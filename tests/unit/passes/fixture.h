// Modules from text, and questions about what passes made of them.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "codegen/ir/verify/verify.h"

namespace weft::passes::testing {

// Fails the test with the diagnostics if the source is wrong.
inline std::unique_ptr<ir::Module> parsed(const std::string& source) {
  auto module = ir::parse_verified(source, "test.weft");
  if (!module) {
    FAIL(print(module.diagnostics()));
  }
  return std::move(*module);
}

inline std::size_t count_ops(const ir::Function& f, ir::OpCode code) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    count += f.op(ir::OpId(i)).code == code ? 1 : 0;
  }
  return count;
}

inline bool has_op(const ir::Function& f, ir::OpCode code) { return count_ops(f, code) != 0; }

}  // namespace weft::passes::testing
