#include "codegen/ir/text/scope.h"

#include <algorithm>

namespace weft::ir {

namespace {

constexpr std::size_t kRecentNames = 1000;

}  // namespace

void Scope::close() {
  for (; visible_.size() > starts_.back(); visible_.pop_back()) {
    ended_.erase(visible_.back());
    ended_.insert(entries_.extract(visible_.back()));
  }
  starts_.pop_back();
}

const Scope::Entry* Scope::find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

const Scope::Entry* Scope::find_ended(std::string_view name) const {
  const auto found = ended_.find(name);
  return found == ended_.end() ? nullptr : &found->second;
}

void Scope::declare(std::string_view name, Entry entry) {
  if (entries_.insert_or_assign(name, entry).second) {
    visible_.push_back(name);
  }
}

std::vector<std::string_view> Scope::recent_names() const {
  const std::size_t count = std::min(visible_.size(), kRecentNames);
  return {visible_.end() - static_cast<std::ptrdiff_t>(count), visible_.end()};
}

}  // namespace weft::ir
