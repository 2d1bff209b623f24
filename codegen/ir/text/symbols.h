// The functions, constant data and specialisation constants of a module by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "codegen/ir/module.h"

namespace weft::ir {

class Symbols {
 public:
  // The module keeps its names while this is used.
  explicit Symbols(const Module& module);

  // What ops with the immediate `kind` (function, global, spec) call by that name, as their immediate.
  [[nodiscard]] std::optional<std::uint64_t> find(Immediate kind, std::string_view name) const;
  // "; did you mean `half`?", or nothing.
  [[nodiscard]] std::string suggestion(Immediate kind, std::string_view name) const;

 private:
  using Index = std::unordered_map<std::string_view, std::uint64_t>;
  [[nodiscard]] const Index& index(Immediate kind) const;

  Index functions_;
  Index globals_;
  Index specs_;
};

}  // namespace weft::ir
