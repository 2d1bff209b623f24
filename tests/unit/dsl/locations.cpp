// Every op knows the line of the user's code that it came from.
#include "record.h"

using namespace weft;
using namespace weft::test;

namespace {

// The line of the first op of that code in the kernel.
std::uint32_t line_of(const ir::Module& module, ir::OpCode code) {
  const ir::Function& f = *module.find_kernel();
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const ir::Op& op = f.op(ir::OpId(i));
    if (op.code == code) {
      CHECK(module.string(op.location.file).ends_with("tests/unit/dsl/locations.cpp"));
      return op.location.line;
    }
  }
  FAIL("no such op");
  return 0;
}

}  // namespace

TEST_CASE("location: operators, functions, variables, accesses and control flow") {
  const std::uint32_t first = __LINE__ + 2;
  const Kernel1D k{"k", [](BufferVar<float> b, Expr<uint> i, Expr<float3> v) {
                     Float x = 1.f;
                     keep(x + 2.f);
                     x = 3.f;
                     x *= 4.f;
                     keep(-x);
                     b.write(i, 1.f);
                     keep(b.read(i));
                     b[i] = 2.f;
                     b.atomic(i).fetch_max(1.f);
                     keep(sqrt(x));
                     keep(max(x, 2.f));
                     keep(v.xy());
                     keep(make_float2(x, 1));
                     keep(cast<int>(x));
                     $if(i < 3u) { sync_block(); };
                     $for(j, i) { keep(j % 2u); };
                     $switch(i) {
                       $case(1) { $assert(i == 2u); };
                     };
                     ++x;
                     print("{}", x);
                   }};
  using enum ir::OpCode;
  std::uint32_t line = first;
  for (const ir::OpCode code : {local, add, load, mul, neg, write, read, buffer_element, atomic_max, sqrt, max, swizzle,
                                make, cast, if_, loop, switch_}) {
    const bool is_store = code == load;  // stands for the line of an assignment
    CHECK(line_of(*k.module(), is_store ? store : code) == (is_store ? first : line));
    ++line;
  }
  CHECK(line_of(*k.module(), barrier) == first + 14);
  CHECK(line_of(*k.module(), lt) == first + 14);
  CHECK(line_of(*k.module(), rem) == first + 15);
  CHECK(line_of(*k.module(), eq) == first + 17);
  CHECK(line_of(*k.module(), assert_) == first + 17);
  CHECK(line_of(*k.module(), print) == first + 20);
  CHECK(k.module()->find_kernel()->location.line == first - 1);
}
