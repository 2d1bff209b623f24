// Whether the reference of ops in docs/ir.md is what the op table gives now.
#include "codegen/ir/reference.h"
#include "tests/docs/generated_part.h"

int main(int count, char** arguments) {
  return weft::test::check_generated_part(count, arguments, "ops", weft::ir::op_reference());
}
