// What the printer writes, the parser reads back to the same module.
#include <catch2/catch.hpp>

#include <random>

#include "codegen/ir/builder.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/print.h"
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/verify.h"
#include "tests/support/files.h"

using namespace weft;
using namespace weft::ir;

namespace {

std::unique_ptr<Module> read_valid(const std::string& source) {
  auto module = parse_verified(source, "test.weft");
  if (!module) {
    SourceTexts texts;
    texts.add("test.weft", source);
    FAIL(print(module.diagnostics(), texts));
  }
  return std::move(*module);
}

// A text in the printer's own form comes back byte for byte.
void check_canonical(const std::string& source) { CHECK(print(*read_valid(source)) == source); }

std::string in_kernel(const std::string& body) {
  return "weft 1\n\nkernel @k(%in: buffer<f32>, %out: buffer<f32>, %n: u32) block(64) {\n" + body + "}\n";
}

}  // namespace

TEST_CASE("text: every form of operand comes back as written") {
  check_canonical(
      in_kernel("  %x = read %in[dispatch_id.x]\n"
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

TEST_CASE("text: regions come back as written, empty else and update are left out") {
  check_canonical(
      in_kernel("  %i = local u32\n"
                "  loop {\n"
                "    %v = load %i\n"
                "    %c = lt %v, %n\n"
                "    yield %c\n"
                "  } body {\n"
                "    if %c {\n"
                "      break\n"
                "    } else {\n"
                "      continue\n"
                "    }\n"
                "  } update {\n"
                "    %w = add %v, 1\n"
                "    store %i, %w\n"
                "  }\n"
                "  loop {\n"
                "    yield false\n"
                "  } body {\n"
                "  }\n"
                "  switch %n {\n"
                "    case 1, 4294967295 {\n"
                "    }\n"
                "    default {\n"
                "      return\n"
                "    }\n"
                "  }\n"));
}

TEST_CASE("text: values without a name are numbered in order") {
  const auto module = read_valid(in_kernel("  %7 = add %n, 1\n  %3 = add %7, %7\n  %9 = add %3, %7\n"));
  CHECK(print(*module) == in_kernel("  %0 = add %n, 1\n  %1 = add %0, %0\n  %2 = add %1, %0\n"));
}

TEST_CASE("text: an op of one use is written in place only where reading makes it there again") {
  // Operands are made from left to right: of two in the other order only the later one. %1 is two ops before its use.
  check_canonical(
      in_kernel("  %a = sub thread_id.x, block_id.x\n"
                "  %0 = thread_id.x\n"
                "  %b = sub block_id.x, %0\n"
                "  %1 = thread_id.x\n"
                "  barrier\n"
                "  %c = not %1\n"));
}

TEST_CASE("text: a module with all forms is the same after it was printed and read") {
  for (const auto& file : test::weft_files("text/valid")) {
    for (const bool locations : {false, true}) {
      const std::string printed = print(*read_valid(test::read_text(file)), {.locations = locations});
      CHECK(print(*read_valid(printed), {.locations = locations}) == printed);
    }
  }
}

TEST_CASE("text: locations are those of the text unless it says others") {
  const auto module = read_valid("weft 1\n\nkernel @k() block(1) {\n  barrier\n  fence at \"a.cpp\":41:7\n}\n");
  const Function& f = module->functions.front();
  CHECK(module->string(f.op(OpId(0)).location.file) == "test.weft");
  CHECK(f.op(OpId(0)).location.line == 4);
  CHECK(f.op(OpId(0)).location.column == 3);
  CHECK(module->string(f.op(OpId(1)).location.file) == "a.cpp");
  CHECK(f.op(OpId(1)).location.line == 41);
  CHECK(f.op(OpId(1)).location.column == 7);
}

TEST_CASE("text: names that are not identifiers, or are taken, come back") {
  Module m;
  Function& f = m.add_function(FunctionKind::kernel, "a kernel");
  Builder b(m, f);
  for (const char* name : {"x", "x", "x_1", "my value", "12", ""}) {
    f.value(b.emit(OpCode::warp_size)).name = m.string(name);
  }
  const std::string printed = print(m);
  CHECK(printed.find("%x = warp_size\n  %x_1 = warp_size\n  %x_1_1 = warp_size\n  %\"my value\" = warp_size\n"
                     "  %_12 = warp_size\n  %0 = warp_size") != std::string::npos);
  CHECK(print(*read_valid(printed)) == printed);
}

TEST_CASE("text: the interesting and random values of every scalar type come back bit by bit") {
  std::mt19937_64 random(7);
  for (std::size_t kind = static_cast<std::size_t>(TypeKind::boolean); kind <= std::size_t(TypeKind::f64); ++kind) {
    const auto scalar = static_cast<TypeKind>(kind);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - scalar_bits(scalar));
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t bits = (i < 256 ? std::uint64_t(i) << (scalar_bits(scalar) > 8 ? scalar_bits(scalar) - 8 : 0)
                                  : i < 512 ? std::uint64_t(i - 256)
                                            : random()) &
                                 mask;
      const std::string text = scalar_literal(scalar, bits);
      const ScalarBits read = read_scalar(scalar, text);
      INFO(text << " " << read.error);
      REQUIRE(read.error.empty());
      REQUIRE(read.bits == bits);
    }
  }
}

TEST_CASE("text: numbers are rounded to the nearest value of their type, and to zero where that is nearest") {
  CHECK(read_scalar(TypeKind::f32, "0.1").bits == 0x3dcccccd);
  CHECK(read_scalar(TypeKind::f32, "1e-45").bits == 1);
  CHECK(read_scalar(TypeKind::f32, "1e-60").bits == 0);
  CHECK(read_scalar(TypeKind::f32, "-1e-60").bits == 0x80000000);
  CHECK(read_scalar(TypeKind::f32, "3.4028235e38").bits == 0x7f7fffff);
  CHECK(read_scalar(TypeKind::f64, "5e-324").bits == 1);
  CHECK(read_scalar(TypeKind::f16, "65504").bits == 0x7bff);
  CHECK(read_scalar(TypeKind::i64, "-9223372036854775808").bits == 0x8000000000000000);
  CHECK(read_scalar(TypeKind::u64, "18446744073709551615").bits == ~std::uint64_t{0});
  CHECK_FALSE(read_scalar(TypeKind::f32, "3.5e38").error.empty());
  CHECK_FALSE(read_scalar(TypeKind::f64, "1e999").error.empty());
  CHECK_FALSE(read_scalar(TypeKind::u8, "256").error.empty());
}
