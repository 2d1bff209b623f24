#include "codegen/passes/root.h"

#include "codegen/passes/prepare.h"
#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::ir;
using namespace weft::passes;
using namespace weft::passes::testing;

TEST_CASE("root: references lead to where they began") {
  const auto module = parsed(R"(weft 1
struct S size 12 align 4 { a: array<u32, 2> @0, b: u32 @8 }
const @t: array<u32, 2> = [1, 2]
callable @c(%r: ref<S>) { store %r.b, 1 }
kernel @k(%out: buffer<S>) block(1) {
  %l = local S
  %s = shared S
  %g = global @t
  %a = member %l.a
  %a1 = element %a[1]
  %sb = member %s.b
  %e = buffer_element %out[0]
  %eb = member %e.b
  %t1 = element %g[1]
}
)");
  const Function& k = *module->find_kernel();
  const auto root_named = [&](std::string_view name) {
    for (std::size_t i = 0; i < k.value_count(); ++i) {
      if (module->string(k.value(ValueId(i)).name) == name) return root_of(k, ValueId(i));
    }
    FAIL("no such value");
    return Root{};
  };
  CHECK(root_named("a1").kind == RootKind::local);
  CHECK(root_named("sb").kind == RootKind::shared);
  CHECK(root_named("eb").kind == RootKind::buffer);
  CHECK(root_named("eb").value == k.parameters[0].value);
  CHECK(root_named("t1").kind == RootKind::global);
  const Function& c = module->functions[0];
  CHECK(root_of(c, c.parameters[0].value).kind == RootKind::parameter);
}

TEST_CASE("root: buffers are read or written directly, by atomics and through callables") {
  const auto module = parsed(R"(weft 1
callable @fill(%b: buffer<u32>, %r: ref<u32>) {
  write %b[0], 1
  %x = load %r
}
kernel @k(%a: buffer<u32>, %b: buffer<u32>, %c: buffer<u32>, %d: buffer<u32>, %e: buffer<u32>) block(1) {
  %x = read %a[0]
  %r = buffer_element %c[0]
  call @fill(%b, %r)
  %o = atomic_add %d[0], 1
  %n = buffer_size %e
}
)");
  const auto uses = [](const Module& m) {
    std::string text;
    for (const BufferUse& use : buffer_uses(m, *m.find_kernel())) {
      text += use.read ? (use.written ? 'b' : 'r') : (use.written ? 'w' : '-');
    }
    return text;
  };
  CHECK(uses(*module) == "rwrb-");
  CHECK(uses(**prepare(*module)) == "rwrb-");
}
