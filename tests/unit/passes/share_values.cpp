#include "codegen/passes/share_values.h"

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::passes;
using weft::passes::testing::count_ops;
using weft::passes::testing::parsed;

namespace {

std::size_t ops_left(ir::OpCode code, const std::string& body) {
  const auto module = parsed("weft 1\nkernel @k(%out: buffer<u32>, %x: f32) block(64) {\n" + body + "}\n");
  return count_ops(share_values(*module, *module->find_kernel()), code);
}

}  // namespace

TEST_CASE("share_values: equal integers become one value") {
  CHECK(ops_left(ir::OpCode::add, "  %a = add thread_id.x, 1\n  %b = add thread_id.x, 1\n  write %out[%a], %b\n") == 1);
  CHECK(ops_left(ir::OpCode::thread_id, "  %a = add thread_id.x, 1\n  %b = add thread_id.x, 2\n") == 1);
  CHECK(ops_left(ir::OpCode::add, "  %a = add thread_id.x, 1\n  if true {\n    %b = add thread_id.x, 1\n  }\n") == 1);
}

TEST_CASE("share_values: what differs, or was made where it cannot be seen, stays") {
  CHECK(ops_left(ir::OpCode::add, "  %a = add thread_id.x, 1\n  %b = add thread_id.x, 2\n") == 2);
  CHECK(ops_left(ir::OpCode::thread_id, "  %a = add thread_id.x, 1\n  %b = add thread_id.y, 1\n") == 2);
  CHECK(ops_left(ir::OpCode::add,
                 "  if true {\n    %a = add thread_id.x, 1\n  } else {\n    %b = add thread_id.x, 1\n  }\n") == 2);
  CHECK(ops_left(ir::OpCode::cast, "  %a = cast u32 %x\n  %b = cast i32 %x\n") == 2);
  CHECK(ops_left(ir::OpCode::load, "  %v = local u32\n  %a = load %v\n  store %v, 1\n  %b = load %v\n") == 2);
  CHECK(ops_left(ir::OpCode::add, "  %a = add %x, 1.0\n  %b = add %x, 1.0\n") == 2);  // floats are left alone
}
