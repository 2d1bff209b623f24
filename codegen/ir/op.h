// Op codes and what the op table says of each. The table is ops.def; everything that asks about ops in general
// (effects, arity, type rules, text) asks OpInfo, and lists no op codes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codegen/ir/type.h"

namespace weft::ir {

enum class OpCode : std::uint16_t {
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) name,
#include "codegen/ir/ops.def"
};

// What an operand may be. The rows give the words used in diagnostics and in the reference page.
enum class OperandShape : std::uint8_t {
#define WEFT_OPERAND_SHAPE(name, words) name,
#include "codegen/ir/shapes.def"
};

// How the type of the result follows.
enum class ResultShape : std::uint8_t {
#define WEFT_RESULT_SHAPE(name, words) name,
#include "codegen/ir/shapes.def"
};

// What Op::imm means.
enum class Immediate : std::uint8_t {
  none,
  part,        // index of a part (TypeTable::part)
  components,  // packed Components: which components a swizzle takes
  dimension,   // 0 x, 1 y, 2 z
  text,        // StringId
  function,    // FunctionId
  global,      // GlobalId
  spec,        // SpecId
  cases,       // index of Function::case_lists
};

enum class Effect : std::uint8_t {
  pure,     // result depends on operands and lane only; may be removed, repeated and moved
  reads,    // memory
  writes,   // memory
  updates,  // reads and writes memory
  control,  // structured control flow
  warp,     // depends on which lanes are active; no memory
  barrier,
  reports,  // talks to the outside: print, assert
};

enum class OpFamily : std::uint8_t {
  arith,
  bits,
  compare,
  convert,
  math,
  vector,
  aggregate,
  memory,
  atomic,
  control,
  group,
  warp
};
enum class OpKind : std::uint8_t { core, device, expand };

inline constexpr std::size_t kMaxOperandShapes = 4;

struct OpInfo {
  std::string_view text;
  std::array<OperandShape, kMaxOperandShapes> operands;
  std::uint8_t operand_count;  // without `rest`
  bool variadic;               // further operands follow (`rest`)
  ResultShape result;
  Immediate immediate;
  Effect effect;
  OpFamily family;
  OpKind kind;
  std::string_view meaning;
};

// The components that a swizzle takes, packed into its immediate: 4 bits each from the lowest, then their number.
struct Components {
  std::array<std::uint8_t, 4> index{};
  std::uint8_t count = 0;

  [[nodiscard]] constexpr std::uint64_t pack() const {
    std::uint64_t packed = std::uint64_t{count} << 16;
    for (std::uint32_t i = 0; i < count; ++i) {
      packed |= std::uint64_t{index[i]} << (4 * i);
    }
    return packed;
  }
  [[nodiscard]] static constexpr Components unpack(std::uint64_t packed) {
    Components c{{}, static_cast<std::uint8_t>(packed >> 16)};
    for (std::uint32_t i = 0; i < c.count; ++i) {
      c.index[i] = (packed >> (4 * i)) & 15;
    }
    return c;
  }
};

[[nodiscard]] const OpInfo& info(OpCode code);
[[nodiscard]] std::span<const OpInfo> all_ops();  // in the order of OpCode
[[nodiscard]] std::optional<OpCode> find_op(std::string_view text);

[[nodiscard]] std::string_view words(OperandShape shape);
[[nodiscard]] std::string_view words(ResultShape shape);
[[nodiscard]] std::string_view text(OpFamily family);
[[nodiscard]] std::string_view text(OpKind kind);
[[nodiscard]] std::string_view text(Effect effect);

// Whether an op of this code ends its region: nothing may follow it.
[[nodiscard]] bool is_terminator(OpCode code);
// Whether the type of the result is part of the op's text (ResultShape::given, given_reference).
[[nodiscard]] bool has_given_type(OpCode code);

}  // namespace weft::ir
