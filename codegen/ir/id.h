// Typed indices: a ValueId cannot be passed where an OpId is expected. An id is an index into a table of the function
// or module that made it and means nothing elsewhere.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace weft::ir {

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}
  [[nodiscard]] constexpr bool valid() const { return index != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using TypeId = Id<struct TypeTag>;          // in Module::types
using ValueId = Id<struct ValueTag>;        // in Function
using OpId = Id<struct OpTag>;              // in Function
using RegionId = Id<struct RegionTag>;      // in Function
using FunctionId = Id<struct FunctionTag>;  // in Module
using ConstantId = Id<struct ConstantTag>;  // in Module
using GlobalId = Id<struct GlobalTag>;      // in Module: named constant data
using SpecId = Id<struct SpecTag>;          // in Module: specialisation constants
using StringId = Id<struct StringTag>;      // in Module

}  // namespace weft::ir

template <class Tag>
struct std::hash<weft::ir::Id<Tag>> {
  std::size_t operator()(weft::ir::Id<Tag> id) const noexcept { return id.index; }
};
