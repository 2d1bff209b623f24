// The recorder: what the DSL's templates call to append to the kernel being recorded on this thread. It hides the IR;
// the templates only decide types. Every function checks that a recording is open and that its operands belong to it
// and are visible at this point, and throws DslError naming the place in the user's code otherwise.
//
// Ops are named by their spelling in the IR's text form (docs/ir.md).
#pragma once

#include <weft/dsl/type_info.h>
#include <weft/error.h>

#include <initializer_list>
#include <memory>
#include <source_location>

namespace weft::ir {
class Module;
}

namespace weft::dsl {

using Where = std::source_location;

// A value of one recorded function.
struct ExprId {
  std::uint32_t index = 0;
  std::uint32_t recording = 0;  // number of the function's recording, from 1; 0 for none
};

enum class NodeKind : std::uint8_t {
  value,      // `root` is a value
  place,      // `root` is a reference: reading is a load
  dimensions  // `root.index` is an op with a dimension, such as thread_id
};

// What a DSL object stands for: a root, and a path of parts (members, columns, components) below it. The ops for the
// path are recorded at each use, so that an object may offer all its parts at no cost.
struct Node {
  ExprId root;
  NodeKind kind = NodeKind::value;
  std::uint8_t depth = 0;
  std::uint8_t parts[kMaxDepth] = {};

  [[nodiscard]] constexpr Node part(std::uint32_t index) const {
    Node n = *this;
    n.parts[n.depth++] = static_cast<std::uint8_t>(index);
    return n;
  }
};

// A specialisation constant, as the application declared it.
struct SpecInfo {
  const char* name;
  std::uint32_t id;
  const TypeInfo* type;
  const void* initial;
};

enum class OperandKind : std::uint8_t { node, bits, bytes, spec };

// A value on its way into an op: where it is from, its type, and the type that is wanted. A scalar becomes a vector by
// being repeated, a component of another type is cast.
struct Operand {
  Node node;                       // OperandKind::node
  std::uint64_t bits = 0;          // OperandKind::bits: a scalar of the host
  const void* bytes = nullptr;     // OperandKind::bytes: a value of the host; spec: its SpecInfo
  const TypeInfo* type = nullptr;  // what it is
  const TypeInfo* to = nullptr;    // what is wanted
  Where where;
  OperandKind kind = OperandKind::node;
};

// --- ops
// Appends an op and gives its result, if any. `given` is the type of ops that need one said.
WEFT_API ExprId apply(const char* op, Where where, std::initializer_list<Operand> operands, std::uint64_t imm = 0,
                      const TypeInfo* given = nullptr);
// The same for a list made at run time.
WEFT_API ExprId apply(const char* op, Where where, const Operand* operands, std::size_t count, std::uint64_t imm = 0,
                      const TypeInfo* given = nullptr);
// The operand's value as a value of type `to`.
WEFT_API ExprId evaluate(const Operand& operand);
WEFT_API Node dimensions(const char* op);
WEFT_API ExprId swizzle(const Operand& vector, std::initializer_list<std::uint8_t> components);

// A struct, array or matrix of its parts.
WEFT_API ExprId make(const TypeInfo& type, const struct PartValue* parts, std::size_t count, Where where);

// --- places
WEFT_API ExprId local(const TypeInfo& type, Where where);
WEFT_API ExprId shared(const TypeInfo& type, Where where);
WEFT_API void store(const Node& place, const Operand& value);
// Reads, applies a binary op with `value` on the right, stores; gives what was stored.
WEFT_API ExprId update(const Node& place, const char* op, const Operand& value);
// An op whose first operand is the place itself, and not its value.
WEFT_API ExprId apply_to_place(const char* op, const Node& place, Where where, std::initializer_list<Operand> operands,
                               std::uint64_t imm = 0, const TypeInfo* given = nullptr);
// A reference to the place, for a callable.
WEFT_API ExprId reference(const Node& place, Where where);
// A part of a value or place. The index of a component or column may be constant, and is then checked; `aggregate` is
// the node's type.
WEFT_API Node part(const Node& node, const TypeInfo& aggregate, const Operand& index);
WEFT_API Node buffer_element(const Node& buffer, const Operand& index);
// Named constant data; the same data is one global of a module.
WEFT_API Node global(const char* name, const TypeInfo& type, const void* bytes, Where where);

// --- control flow. A token says which constructs were open; end() closes what was opened since and never throws, so
// that it may be called while an exception passes.
struct Token {
  std::uint32_t recording = 0;
  std::uint32_t depth = 0;
};
WEFT_API Token begin_if(const Operand& condition);  // what follows is the then region
WEFT_API void begin_else(Token token);              // closes the then region
WEFT_API Token begin_loop(Where where);             // what follows is the condition region
WEFT_API void loop_body(const Operand& condition);  // yields the condition
WEFT_API void loop_update();                        // closes the body
WEFT_API Token begin_switch(const Operand& value);
WEFT_API Token begin_case(const std::int64_t* values, std::size_t count, Where where);
WEFT_API Token begin_default(Where where);
WEFT_API void end(Token token) noexcept;
WEFT_API void break_loop(Where where);
WEFT_API void continue_loop(Where where);
WEFT_API void return_nothing(Where where);
WEFT_API void return_result(const Operand& value);

// --- reports
WEFT_API void record_assert(const Operand& condition, const char* message);
WEFT_API void record_unreachable(const char* message, Where where);
WEFT_API void record_print(const char* format, Where where, std::initializer_list<Operand> operands);

// --- functions
struct ParameterInfo {
  const TypeInfo* type;
  bool is_reference = false;
};

// The block size, math and so on of a kernel, as its attributes gave them.
struct KernelOptions {
  static constexpr std::uint32_t kMaxNames = 32;
  std::uint32_t dimensions = 1;
  std::uint32_t block[3] = {0, 0, 0};  // all 0: not given
  std::uint32_t warp_size = 32;
  const char* math = "strict";
  bool unchecked = false;
  bool no_alias = false;
  const char* names[kMaxNames] = {};
  std::uint32_t name_count = 0;
};

// Calls the user's lambda with DSL objects made from the parameters' values.
struct Body {
  void (*run)(const void* lambda, const ExprId* parameters, Where where);
  const void* lambda;
};

struct FunctionInfo {
  const char* name;
  const ParameterInfo* parameters;
  std::size_t parameter_count;
  const TypeInfo* result;  // null for none
  Where where;
};

WEFT_API std::shared_ptr<const ir::Module> record_kernel(const FunctionInfo& function, const KernelOptions& options,
                                                         Body body);
// Records the callable into the module being recorded unless that was done (`key` is its identity), and calls it.
// Operands of reference parameters are references.
WEFT_API ExprId call(const void* key, const FunctionInfo& function, Body body, const Operand* operands, Where where);

}  // namespace weft::dsl
