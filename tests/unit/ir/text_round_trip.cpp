// What the printer writes, the parser reads back to the same module.
#include <catch2/catch.hpp>

#include "codegen/ir/text/parse.h"
#include "codegen/ir/text/print.h"

using namespace weft;

namespace {

std::unique_ptr<ir::Module> parse_valid(const std::string& source) {
  auto module = ir::parse(source, "test.weft");
  if (!module) {
    SourceTexts texts;
    texts.add("test.weft", source);
    FAIL(print(module.diagnostics(), texts));
  }
  return std::move(*module);
}

// A text in the printer's own form comes back byte for byte.
void check_canonical(const std::string& source) { CHECK(ir::print(*parse_valid(source)) == source); }

std::string kernel(const std::string& body) {
  return "weft 1\n\nkernel @k(%in: buffer<f32>, %out: buffer<f32>, %n: u32) block(64) {\n" + body + "}\n";
}

}  // namespace

TEST_CASE("text: every form of operand comes back as written") {
  check_canonical(
      kernel("  %x = read %in[dispatch_id.x]\n"
             "  %y = mul %x, 2.0\n"
             "  %v = make vec<f32, 3> %x, %y, 1.0\n"
             "  %w = mul %v.zyx, vec<f32, 3>(1.0, 2.0, 3.0)\n"
             "  %s = swizzle %w.xxyy\n"
             "  %u = insert %w.y, %x\n"
             "  %e = extract_at %u[%n]\n"
             "  %c = lt 0.0, %e\n"
             "  %d = select %c, 1.0_f32, 2.0\n"
             "  print \"{} is {}\", %d, %s\n"
             "  write %out[0], %d\n"));
}
