#include "codegen/ir/text/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "codegen/ir/op.h"
#include "codegen/ir/text/spelling.h"

namespace weft::ir {

namespace {

constexpr std::string_view kComponents = "xyzw";

std::optional<std::uint64_t> find_number(std::string_view spelling, std::uint64_t count) {
  std::uint64_t index = 0;
  const char* end = spelling.data() + spelling.size();
  const auto [stop, error] = std::from_chars(spelling.data(), end, index);
  return error == std::errc() && stop == end && index < count ? std::optional(index) : std::nullopt;
}

std::optional<std::uint64_t> find_member(const Type& structure, std::string_view spelling) {
  const auto name = name_of(spelling);
  for (std::size_t i = 0; name && i < structure.members.size(); ++i) {
    if (structure.members[i].name == *name) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> find_part(const TypeTable& types, TypeId aggregate, std::string_view spelling) {
  const Type& type = types[aggregate];
  if (type.kind == TypeKind::structure) {
    return find_member(type, spelling);
  }
  const std::uint64_t count = types.part_count(aggregate);
  const std::size_t component = spelling.size() == 1 ? kComponents.find(spelling) : std::string_view::npos;
  if (type.kind == TypeKind::vector && component < count) {
    return component;
  }
  return find_number(spelling, count);
}

bool is_swizzle(std::string_view spelling) {
  return spelling.size() >= 2 && spelling.find_first_not_of(kComponents) == std::string_view::npos;
}

std::optional<std::uint64_t> find_components(const TypeTable& types, TypeId vector, std::string_view spelling) {
  Components components;
  if (!is_swizzle(spelling) || spelling.size() > components.index.size()) {
    return std::nullopt;
  }
  for (const char c : spelling) {
    const std::size_t component = kComponents.find(c);
    if (component >= types[vector].rows) {
      return std::nullopt;
    }
    components.index[components.count++] = static_cast<std::uint8_t>(component);
  }
  return components.pack();
}

std::string part_text(const TypeTable& types, TypeId aggregate, std::uint64_t part) {
  const Type& type = types[aggregate];
  if (type.kind == TypeKind::structure && part < type.members.size()) {
    return spelled(type.members[part].name);
  }
  const bool component = type.kind == TypeKind::vector && part < type.rows;
  return component ? std::string(kComponents.substr(part, 1)) : fmt::format("{}", part);
}

std::string components_text(std::uint64_t packed) {
  const Components components = Components::unpack(packed);
  std::string text;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(components.count, components.index.size()); ++i) {
    text += kComponents[components.index[i] % kComponents.size()];
  }
  return text;
}

std::string parts_text(const TypeTable& types, TypeId aggregate) {
  const Type& type = types[aggregate];
  const std::uint64_t count = types.part_count(aggregate);
  if (type.kind == TypeKind::structure) {
    std::string names;
    for (const Member& member : type.members) {
      names += (names.empty() ? "" : ", ") + spelled(member.name);
    }
    return "its members are " + names;
  }
  if (type.kind == TypeKind::vector) {
    return fmt::format("its components are {}", kComponents.substr(0, count));
  }
  return count == 0 ? "it has none" : fmt::format("its parts are 0 to {}", count - 1);
}

}  // namespace weft::ir
