#include "codegen/ir/text/symbols.h"

#include <vector>

#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

template <class Items>
void add_all(std::unordered_map<std::string_view, std::uint64_t>& index, const Items& items) {
  std::uint64_t next = 0;
  for (const auto& item : items) {
    index.emplace(item.name, next++);
  }
}

}  // namespace

Symbols::Symbols(const Module& module) {
  add_all(functions_, module.functions);
  add_all(globals_, module.globals);
  add_all(specs_, module.specs);
}

const Symbols::Index& Symbols::index(Immediate kind) const {
  return kind == Immediate::function ? functions_ : kind == Immediate::global ? globals_ : specs_;
}

std::optional<std::uint64_t> Symbols::find(Immediate kind, std::string_view name) const {
  const auto found = index(kind).find(name);
  return found == index(kind).end() ? std::nullopt : std::optional(found->second);
}

std::string Symbols::suggestion(Immediate kind, std::string_view name) const {
  std::vector<std::string_view> known;
  for (const auto& [candidate, place] : index(kind)) {
    known.push_back(candidate);
  }
  return did_you_mean(name, known);
}

}  // namespace weft::ir
