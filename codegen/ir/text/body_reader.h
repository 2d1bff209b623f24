// Reads the body of one function: regions, statements, operands.
//
// A statement is one op. Its operands may be written as accesses (`%tile[%lane].x`) and as ops without operands
// (`dispatch_id.x`); these make their ops, from left to right, right before the statement's own. A name whose
// definition had an error is known but has no value; statements that use it are read and dropped without further words.
#pragma once

#include <optional>
#include <span>

#include "codegen/ir/text/reader.h"
#include "codegen/ir/text/scope.h"
#include "codegen/ir/text/symbols.h"

namespace weft::ir {

class BodyReader {
 public:
  // `parameters`: the name tokens of the function's parameters.
  BodyReader(Reader& in, Module& module, Function& function, const Symbols& symbols, std::span<const Token> parameters);

  // From the opening to the closing brace.
  void read();

 private:
  // An operand as written: a value, or a number whose type the op decides.
  struct Operand {
    ValueId value;                 // invalid: a number, or dropped
    std::optional<Token> literal;  // a number
    bool dropped = false;          // its value had an error
    Token first;
    SourceLocation place;
    std::string_view text;
  };

  // `.part` or `[index]` behind an operand.
  struct Access {
    Token token;  // the part, or the opening bracket
    std::optional<Operand> index;
    SourceLocation place;
  };

  struct Statement {
    OpCode code = OpCode::unreachable;
    Token first;
    Token word;
    std::optional<Token> result;
    std::vector<Operand> operands;
    std::uint64_t imm = 0;
    TypeId given;
    std::size_t first_op = 0;  // number of ops before the statement
    std::size_t region_count = 0;
  };

  // body_reader.cpp: regions and control flow
  void read_statements(RegionId region);
  bool read_block(RegionId region, std::string_view where);
  void read_statement();
  bool read_structured(Statement& s);
  bool read_if(Statement& s);
  bool read_loop(Statement& s);
  bool read_switch(Statement& s);
  bool read_cases(OpId op, TypeId selector, CaseList& cases);
  bool read_case_values(TypeId selector, std::vector<std::int64_t>& values);
  [[nodiscard]] std::size_t count_regions_of_switch() const;
  OpId append_structured(Statement& s);

  // read_op.cpp: one op
  bool read_op(Statement& s);
  bool read_symbol(Statement& s);
  bool read_text(Statement& s);
  bool read_operands(Statement& s);
  bool read_fixed_operands(Statement& s);
  bool read_last_access(Statement& s, std::optional<Access> access);
  bool read_rest(Statement& s);
  bool read_call_arguments(Statement& s);
  bool read_location(Statement& s);
  bool check(Statement& s);
  void note_declarations(Diagnostic& error, const Statement& s, std::size_t index);
  ValueId append(Statement& s);
  void declare(const Token& name, ValueId value);

  // read_number.cpp: numbers as operands
  bool resolve_literals(Statement& s);
  bool resolve_literal(Operand& operand, TypeId type);

  // read_operand.cpp: operands
  std::optional<Operand> read_operand();
  // With the last access left to the op that owns it.
  std::optional<Operand> read_base(std::optional<Access>* last);
  bool read_primary(Operand& operand);
  bool read_value(Operand& operand);
  bool read_inline_op(Operand& operand);
  bool read_inline_symbol(Operand& operand);
  bool read_constant(Operand& operand);
  std::optional<Access> read_access();
  bool apply(Operand& operand, Access& access);
  bool apply_part(Operand& operand, const Access& access);
  bool apply_index(Operand& operand, Access& access);
  // The index of a part, or the packed components of a swizzle; nothing after an error.
  std::optional<std::uint64_t> part_of(TypeId aggregate, const Token& token, bool swizzle);
  std::optional<std::uint64_t> read_dimension(OpCode code);
  void emit(Operand& result, OpCode code, std::span<const Operand> operands, std::uint64_t imm, const Token& at);
  [[nodiscard]] TypeId type_of(const Operand& operand) const { return f_.type(operand.value); }

  Reader& in_;
  Module& m_;
  Function& f_;
  const Symbols& symbols_;
  Scope scope_;
  RegionId region_;
  Location location_;
  StringId file_;
  std::size_t depth_ = 0;            // of regions
  std::uint32_t operand_depth_ = 0;  // of operands within operands
};

}  // namespace weft::ir
