// Reads one run line; the form is in run_spec.h.
#pragma once

#include "tests/support/run_spec.h"

namespace weft::test {

class RunReader {
 public:
  RunReader(const ir::Module& module, std::string_view text) : module_(module), rest_(text) {}
  [[nodiscard]] ParsedRun read();

 private:
  void read_left();
  void read_dispatch();
  void read_assignment();
  void read_spec(std::uint32_t id);
  void read_right();
  void check_arguments();

  // The scalars of a buffer or value, of this type: a list, zeros(N), iota(N), or one scalar.
  std::vector<std::optional<std::uint64_t>> read_scalars(ir::TypeId type);
  std::vector<std::optional<std::uint64_t>> read_list(ir::TypeId type);
  std::optional<std::uint64_t> read_scalar(ir::TypeKind kind);
  std::uint32_t read_number();
  std::string read_string();
  std::string read_word();
  // The kernel's parameter of that name.
  std::size_t find_argument(const std::string& name);

  void skip_spaces();
  bool accept(std::string_view text);
  void expect(std::string_view text);
  void fail(std::string message);
  [[nodiscard]] bool failed() const { return !parsed_.error.empty(); }

  const ir::Module& module_;
  const ir::Function* kernel_ = nullptr;
  std::string_view rest_;
  ParsedRun parsed_;
  std::vector<bool> given_;  // by parameter
};

}  // namespace weft::test
