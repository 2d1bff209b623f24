// Prints one function, line by line into a text.
#pragma once

#include <string>

#include "codegen/ir/text/print.h"

namespace weft::ir {

class FunctionPrinter {
 public:
  // `types` is a copy of the module's: asking what a number's type would be may make new types.
  FunctionPrinter(const Module& module, const Function& function, TypeTable& types, PrintOptions options);

  [[nodiscard]] std::string run();
  [[nodiscard]] std::vector<std::string> texts_of_values();

 private:
  // print_function.cpp: header, regions, statements
  void print_header();
  void print_attributes();
  void print_block(RegionId region);
  void print_op(OpId id);
  void print_regions(const Op& op);
  void print_cases(const Op& op);
  [[nodiscard]] std::string indentation() const { return std::string(2 * depth_, ' '); }
  [[nodiscard]] std::string place_text(const Location& location) const;

  // print_op.cpp: the text of an op and its operands
  [[nodiscard]] std::string op_text(const Op& op);
  [[nodiscard]] std::string symbol_text(const Op& op) const;
  [[nodiscard]] std::string operands_text(const Op& op);
  [[nodiscard]] std::string access_text(const Op& op);
  [[nodiscard]] std::string inline_text(const Op& op);
  [[nodiscard]] std::string operand_text(const Op& op, std::size_t index);
  [[nodiscard]] std::string constant_text(const Constant& constant);
  [[nodiscard]] TypeId literal_type_of(const Op& op, std::size_t index);
  [[nodiscard]] TypeId given_of(const Op& op) const;

  const Module& m_;
  const Function& f_;
  TypeTable& types_;
  PrintOptions options_;
  std::vector<bool> inline_;
  std::vector<std::string> names_;
  std::vector<bool> used_;
  std::string out_;
  std::size_t depth_ = 0;
};

// A constant's leaves as the parts of its type: nested in brackets, the outermost without its own.
[[nodiscard]] std::string data_text(TypeTable& types, const Constant& constant);

}  // namespace weft::ir
