// Builds functions op by op: a cursor at the end of a region, type inference by the op table, and nesting of regions.
//
// A Builder is used by one thread. It trusts its caller: an op whose operands break the table's rules is a bug of the
// caller and aborts. Front ends that take input from people check before (the parser), or can only say what is typed
// (the DSL).
#pragma once

#include <bit>
#include <initializer_list>

#include "codegen/ir/module.h"

namespace weft::ir {

class Builder {
 public:
  Builder(Module& module, Function& function) : module_(module), function_(function), region_(function.body()) {}

  [[nodiscard]] Module& module() { return module_; }
  [[nodiscard]] Function& function() { return function_; }
  [[nodiscard]] RegionId region() const { return region_; }
  void set_region(RegionId region) { region_ = region; }
  // The place that the following ops come from.
  void set_location(Location location) { location_ = location; }
  [[nodiscard]] Location location() const { return location_; }

  // Appends an op; `given` is the type in the text for ops that have one. The result is invalid for ops without one.
  ValueId emit(OpCode code, std::span<const ValueId> operands, std::uint64_t imm = 0, TypeId given = {});
  ValueId emit(OpCode code, std::initializer_list<ValueId> operands = {}, std::uint64_t imm = 0, TypeId given = {}) {
    return emit(code, std::span(operands.begin(), operands.size()), imm, given);
  }
  // Appends an op that owns regions: if_ 2, loop 3, switch_ as many as cases and 1.
  OpId emit_regions(OpCode code, std::initializer_list<ValueId> operands, std::size_t region_count,
                    std::uint64_t imm = 0);

  ValueId constant(TypeId type, std::vector<std::uint64_t> leaves);
  ValueId constant_bool(bool value) { return constant(kBool, {value ? 1U : 0U}); }
  ValueId constant_u32(std::uint32_t value) { return constant(kU32, {value}); }
  ValueId constant_f32(float value) { return constant(kF32, {std::bit_cast<std::uint32_t>(value)}); }
  // A number in any scalar type, or in every component of a vector or matrix: integers wrap, floats are rounded from
  // double.
  ValueId constant_number(TypeId type, double value);
  // The zero of any value type.
  ValueId zero(TypeId type);

  ValueId local(TypeId type) { return emit(OpCode::local, {}, 0, type); }
  ValueId load(ValueId reference) { return emit(OpCode::load, {reference}); }
  void store(ValueId reference, ValueId value) { emit(OpCode::store, {reference, value}); }
  ValueId extract(ValueId aggregate, std::uint32_t part) { return emit(OpCode::extract, {aggregate}, part); }
  ValueId make(TypeId type, std::span<const ValueId> parts) { return emit(OpCode::make, parts, 0, type); }

 private:
  Module& module_;
  Function& function_;
  RegionId region_;
  Location location_;
};

// The bits of a number in a scalar type, rounded to nearest even.
[[nodiscard]] std::uint64_t scalar_bits_of(TypeKind scalar, double value);

}  // namespace weft::ir
