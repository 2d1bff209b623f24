// What becomes of a kernel, told by what the lowering reports while it makes the code (codegen/lower/remark.h): shapes
// of values, accesses, branches, calls, suspend points and what they keep, in plain data. tools/explain* shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/jit/compile.h"
#include "codegen/lower/remark.h"

namespace weft::jit {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;  // 0: unknown
  std::uint32_t column = 0;
};

struct ExplainedValue {
  SourcePlace place;
  std::string name;  // with its sigil; empty where it has none
  std::string type;
  std::string shape;
  bool is_variable = false;
};

struct Note {
  lower::RemarkKind kind;
  std::uint64_t number = 0;
  std::uint32_t count = 1;  // of the same for other parts of the value
  bool otherwise = false;   // of the way that is taken when the main one cannot be
  bool slow = false;        // and has a way out
  std::string name;         // of what is kept
};

// What was decided about one op.
struct Decision {
  SourcePlace place;
  std::string op;     // "load %in"
  std::string shape;  // of the address, for accesses
  std::vector<Note> notes;
  std::string why;  // an access is not regular; else empty
};

struct KeptTotal {
  std::uint64_t bytes_per_pack = 0;   // of variables and values
  std::uint64_t bytes_per_block = 0;  // once for the block
  std::uint64_t frame_bytes = 0;      // a pack's frame, with the state of the coroutine; 0 without suspend points
};

struct Explanation {
  std::string kernel;
  std::string file;
  std::array<std::uint32_t, 3> block_size{1, 1, 1};
  std::uint32_t dimensions = 1;
  std::uint32_t width = 1;
  std::uint32_t packs = 1;
  std::string width_reason;
  std::string form;  // coroutines, fission, plain
  std::string form_reason;
  SourcePlace form_place;  // of the op that decided, if one did
  std::string effort;
  std::string cpu;
  std::uint32_t vector_bits = 0;
  std::uint32_t suspend_points = 0;
  std::uint32_t cuts = 0;
  std::uint32_t segments = 0;  // between the cuts
  bool uniform_barriers = false;
  std::uint64_t shared_bytes = 0;   // a block
  std::uint64_t scratch_bytes = 0;  // a pack
  KeptTotal kept;
  std::vector<ExplainedValue> values;  // both in the order of the text
  std::vector<Decision> decisions;
};

// Compiles as compile() does, but for optimiser and code generator.
[[nodiscard]] Result<Explanation> explain(const ir::Module& module, const CompileOptions& options);

}  // namespace weft::jit
