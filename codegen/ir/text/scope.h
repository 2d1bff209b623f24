// The names of values that are visible while a function is read.
//
// A name is visible to the end of the region that made it. While it is, it cannot be made again; afterwards it can.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/ir/text/lex.h"

namespace weft::ir {

class Scope {
 public:
  struct Entry {
    ValueId value;  // invalid if its definition had an error, about which everything has been said
    Token declared;
  };

  void open() { starts_.push_back(visible_.size()); }
  void close();

  // The entry of a visible name, or null. Names are spellings, with sigil.
  [[nodiscard]] const Entry* find(std::string_view name) const;
  // The entry of a name whose region has ended, or null.
  [[nodiscard]] const Entry* find_ended(std::string_view name) const;
  // Makes a name visible; one that is, and has no value, gets this one.
  void declare(std::string_view name, Entry entry);
  // The names made last, for suggestions: all but in very large functions.
  [[nodiscard]] std::vector<std::string_view> recent_names() const;

 private:
  std::unordered_map<std::string_view, Entry> entries_;
  std::unordered_map<std::string_view, Entry> ended_;
  std::vector<std::string_view> visible_;
  std::vector<std::size_t> starts_;
};

}  // namespace weft::ir
