// The IR: typed, structured SSA.
//
// A Module holds functions (kernels and callables), named constant data, specialisation constants and the tables that
// they share: types, constants, strings, source places. A Function is a tree of regions. A region is a list of ops; an
// op may own regions (if: then, else; loop: condition, body, update; switch: one for each case, default last). There
// are no phis: what changes over time is a local variable, and ops read and write it through references.
//
// A value is made once: by an op, as a parameter or as a constant. A parameter or constant may be used anywhere in the
// function; the result of an op in the rest of its region and in regions nested there. A loop's body and update also
// see what its condition region made. Nothing made inside a region is seen after it. A loop's
// condition and update hold no return, and break and continue only of loops within them.
//
// Lanes: the function is run by every lane of a block. Lanes that take different ways reconverge at the end of each if,
// switch, loop iteration and loop. A barrier is reached by every lane that has not returned, or by none.
//
// References are values that name a place: the result of local, shared, global, buffer_element, byte_element, of member
// and element on another reference, or a callable's parameter of type ref<T>. They are not stored, selected or
// returned.
//
// The tables only grow. Passes that change a function build a new one (rewrite.h).
#pragma once

#include <array>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/ir/id.h"
#include "codegen/ir/op.h"
#include "codegen/ir/type.h"

namespace weft::ir {

// A place in the source that an op came from; line 0 is unknown.
struct Location {
  StringId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

// A constant is its type and the bits of its scalar leaves in order, each zero-extended to 64 bits.
struct Constant {
  TypeId type;
  std::vector<std::uint64_t> leaves;
  friend bool operator==(const Constant&, const Constant&) = default;
};

enum class ValueKind : std::uint8_t { result, parameter, constant };

struct Value {
  ValueKind kind = ValueKind::result;
  TypeId type;
  std::uint32_t index = 0;  // OpId, parameter number or ConstantId, by kind
  StringId name;            // as written, may be invalid
};

struct Op {
  OpCode code = OpCode::unreachable;
  TypeId type;     // of the result; kVoid without one
  ValueId result;  // invalid without one
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  std::uint32_t first_region = 0;
  std::uint32_t region_count = 0;
  std::uint64_t imm = 0;
  Location location;
};

struct Region {
  std::vector<OpId> ops;
};

enum class MathMode : std::uint8_t { strict, precise, fast };
inline constexpr std::array<std::string_view, 3> kMathModeTexts{"strict", "precise", "fast"};

struct Parameter {
  ValueId value;
  bool is_restrict = false;  // buffers of kernels: overlaps no other argument
};

// What the text gives after a kernel's parameters.
struct KernelAttributes {
  std::array<std::uint32_t, 3> block_size{1, 1, 1};
  std::uint32_t dimensions = 1;  // how many numbers of block_size were given
  std::uint32_t warp_size = 32;  // 8, 16 or 32
  MathMode math = MathMode::strict;
  bool unchecked = false;  // no range checks

  [[nodiscard]] std::uint64_t lane_count() const {
    return std::uint64_t{block_size[0]} * block_size[1] * block_size[2];
  }
};

inline constexpr std::uint32_t kMaxBlockLanes = 1U << 20;
inline constexpr std::uint32_t kMaxRegionDepth = 256;  // regions within regions

enum class FunctionKind : std::uint8_t { kernel, callable };

// The values that each case region of a switch takes; the default region has no entry.
using CaseList = std::vector<std::vector<std::int64_t>>;

class Function {
 public:
  Function(FunctionKind kind, std::string name) : name(std::move(name)), kind(kind) { body_ = add_region(); }

  std::string name;
  FunctionKind kind;
  TypeId result_type = kVoid;   // callables
  KernelAttributes attributes;  // kernels
  std::vector<Parameter> parameters;
  std::vector<CaseList> case_lists;
  Location location;

  [[nodiscard]] RegionId body() const { return body_; }
  [[nodiscard]] const Op& op(OpId id) const { return ops_[id.index]; }
  [[nodiscard]] Op& op(OpId id) { return ops_[id.index]; }
  [[nodiscard]] const Value& value(ValueId id) const { return values_[id.index]; }
  [[nodiscard]] Value& value(ValueId id) { return values_[id.index]; }
  [[nodiscard]] const Region& region(RegionId id) const { return regions_[id.index]; }
  [[nodiscard]] Region& region(RegionId id) { return regions_[id.index]; }
  [[nodiscard]] std::size_t op_count() const { return ops_.size(); }
  [[nodiscard]] std::size_t value_count() const { return values_.size(); }
  [[nodiscard]] std::size_t region_count() const { return regions_.size(); }

  [[nodiscard]] std::span<const ValueId> operands(const Op& op) const {
    return {operands_.data() + op.first_operand, op.operand_count};
  }
  [[nodiscard]] std::span<const ValueId> operands(OpId id) const { return operands(op(id)); }
  [[nodiscard]] ValueId operand(const Op& op, std::size_t i) const { return operands_[op.first_operand + i]; }
  [[nodiscard]] std::span<const RegionId> regions(const Op& op) const {
    return {region_ids_.data() + op.first_region, op.region_count};
  }
  [[nodiscard]] TypeId type(ValueId id) const { return values_[id.index].type; }
  // The op that makes a value; null for parameters and constants.
  [[nodiscard]] const Op* definition(ValueId id) const {
    const Value& v = value(id);
    return v.kind == ValueKind::result ? &ops_[v.index] : nullptr;
  }

  ValueId add_parameter(TypeId type, StringId name, bool is_restrict = false);
  // One value for each constant and function.
  ValueId constant(ConstantId id, TypeId type);
  // Appends an op with its operands and `region_count` new empty regions to a region. A result value is made unless the
  // type is kVoid.
  OpId append(RegionId region, OpCode code, TypeId type, std::span<const ValueId> operands, std::uint64_t imm,
              std::size_t region_count, Location location);
  RegionId add_region();
  // Adds one more region to the op last appended (a switch's next case).
  RegionId add_region_to(OpId op);

 private:
  std::vector<Op> ops_;
  std::vector<Value> values_;
  std::vector<Region> regions_;
  std::vector<ValueId> operands_;
  std::vector<RegionId> region_ids_;
  std::unordered_map<ConstantId, ValueId> constants_;
  RegionId body_;
};

// Named constant data, such as a table of directions.
struct Global {
  std::string name;
  ConstantId data;
};

// A value that is chosen when a shader is compiled.
struct SpecConstant {
  std::string name;
  std::uint32_t id = 0;
  ConstantId initial;  // the default
};

class Module {
 public:
  Module() = default;
  Module(Module&&) noexcept = default;
  Module& operator=(Module&&) noexcept = default;
  Module(const Module&) = delete;  // see without_functions
  Module& operator=(const Module&) = delete;

  // A module with the same tables, and hence the same ids of types, strings, constants, globals and specialisation
  // constants, that holds no function yet: where a pass puts the functions that it builds.
  [[nodiscard]] std::unique_ptr<Module> without_functions() const;

  TypeTable types;
  std::deque<Function> functions;  // stable addresses
  std::vector<Global> globals;
  std::vector<SpecConstant> specs;

  Function& add_function(FunctionKind kind, std::string name);
  [[nodiscard]] const Function& function(FunctionId id) const { return functions[id.index]; }
  [[nodiscard]] Function& function(FunctionId id) { return functions[id.index]; }
  [[nodiscard]] FunctionId find_function(std::string_view name) const;
  // The only kernel, or the one of that name; null otherwise.
  [[nodiscard]] const Function* find_kernel(std::string_view name = {}) const;

  StringId string(std::string_view text);
  [[nodiscard]] std::string_view string(StringId id) const {
    return id.valid() ? strings_[id.index] : std::string_view();
  }

  [[nodiscard]] std::size_t string_count() const { return strings_.size(); }

  ConstantId constant(Constant constant);
  [[nodiscard]] const Constant& constant(ConstantId id) const { return constants_[id.index]; }
  // The constant behind a value of a function, or null.
  [[nodiscard]] const Constant* constant_of(const Function& f, ValueId value) const;

 private:
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, StringId> string_index_;
  std::deque<Constant> constants_;
  std::unordered_map<std::string, ConstantId> constant_index_;
};

}  // namespace weft::ir
