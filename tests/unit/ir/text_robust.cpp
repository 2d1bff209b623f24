// Whatever bytes the parser is given, it ends with a module or with errors, soon.
#include <catch2/catch.hpp>

#include <random>

#include "codegen/ir/builder.h"
#include "codegen/ir/text/print.h"
#include "codegen/ir/verify/verify.h"
#include "tests/support/files.h"

using namespace weft;

namespace {

// Reads a text; what is valid must come back from its print.
bool read(const std::string& source) {
  auto module = ir::parse_verified(source, "test.weft");
  if (!module) {
    REQUIRE(module.diagnostics().has_errors());
    return false;
  }
  const std::string printed = ir::print(**module);
  auto again = ir::parse_verified(printed, "printed.weft");
  INFO(source);
  INFO(printed);
  REQUIRE(again.has_value());
  REQUIRE(ir::print(**again) == printed);
  return true;
}

std::vector<std::string> sources() {
  std::vector<std::string> all;
  for (const char* folder : {"text/valid", "text/errors"}) {
    for (const auto& file : test::weft_files(folder)) all.push_back(test::read_text(file));
  }
  return all;
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

std::string in_kernel(const std::string& body) { return "weft 1\nkernel @k(%c: bool) block(1) {\n" + body + "\n}\n"; }

}  // namespace

TEST_CASE("text: a file cut anywhere gives errors or a module") {
  std::size_t errors = 0;
  for (const std::string& source : sources()) {
    for (std::size_t length = 0; length < source.size(); length += 3) errors += read(source.substr(0, length)) ? 0 : 1;
  }
  CHECK(errors > 1000);
}

TEST_CASE("text: a file with one byte changed, added or removed gives errors or a module") {
  std::mt19937 random(42);
  std::size_t valid = 0;
  std::size_t invalid = 0;
  for (const std::string& source : sources()) {
    for (int i = 0; i < 400; ++i) {
      std::string changed = source;
      const std::size_t at = random() % source.size();
      const char byte = random() % 2 == 0 ? source[random() % source.size()] : static_cast<char>(random());
      switch (random() % 3) {
        case 0: changed[at] = byte; break;
        case 1: changed.insert(at, 1, byte); break;
        default: changed.erase(at, 1); break;
      }
      ++(read(changed) ? valid : invalid);
    }
  }
  CHECK(valid > 50);
  CHECK(invalid > 1000);
}

TEST_CASE("text: deep nesting is an error, not a crash") {
  CHECK_FALSE(read(in_kernel(repeated("if %c {\n", 100000))));
  CHECK_FALSE(read(in_kernel(repeated("loop {\n", 100000))));
  CHECK_FALSE(read(in_kernel(repeated("loop {\nyield %c\n} body {\n", 100000))));
  CHECK_FALSE(read(in_kernel(repeated("switch 1_u32 {\ncase 1 {\n", 3000))));
  CHECK_FALSE(read(in_kernel("%x = local " + repeated("array<", 100000))));
  CHECK_FALSE(read(in_kernel("%x = not " + repeated("vec<bool, 2>(", 100000))));
  CHECK_FALSE(read("weft 1\nconst @a: array<f32, 2> = " + repeated("[", 100000)));
  CHECK_FALSE(read(in_kernel("%x = load %c" + repeated("[%c", 100000))));
  CHECK_FALSE(read(in_kernel("%x = load %c" + repeated(".x", 100000))));
}

TEST_CASE("text: regions nest as deep as the limit says") {
  const auto nested = [](std::size_t depth) { return repeated("if %c {\n", depth) + repeated("}\n", depth); };
  CHECK(read(in_kernel(nested(ir::kMaxRegionDepth - 1))));
  CHECK_FALSE(read(in_kernel(nested(ir::kMaxRegionDepth))));
}

TEST_CASE("text: bytes without sense and endless errors end soon") {
  CHECK_FALSE(read(""));
  CHECK_FALSE(read("weft"));
  CHECK_FALSE(read("weft 1 weft 1"));
  CHECK(read("weft 1"));
  CHECK_FALSE(read(std::string(1000, '\0')));
  CHECK_FALSE(read("weft 1\n" + repeated("\xff\xfe ", 100000)));
  CHECK_FALSE(read("weft 1\n" + repeated("kernel\n", 100000)));
  CHECK_FALSE(read(in_kernel(repeated("%x = add %y, 1\n", 100000))));
  CHECK_FALSE(read("weft 1\n" + std::string(1000000, '{')));
  CHECK_FALSE(read("weft 1\n" + std::string(1000000, '"')));
  CHECK_FALSE(read("weft " + std::string(100000, '9')));
}

// Each of these would take minutes if one step looked at all that came before it.
TEST_CASE("text: time grows with the size of the text, whatever there is much of") {
  constexpr std::size_t kMany = 50000;
  const auto many = [](auto item) {
    std::string out;
    for (std::size_t i = 0; i < kMany; ++i) out += item(std::to_string(i));
    return out;
  };
  SECTION("values") {
    CHECK(read(in_kernel(many([](const std::string& i) { return "%x" + i + " = not %c\n"; }))));
  }
  SECTION("functions that call each other") {
    CHECK(read("weft 1\ncallable @f() {\n}\n" +
               many([](const std::string& i) { return "callable @f" + i + "() {\n  call @f()\n}\n"; })));
  }
  SECTION("structs") {
    CHECK(read("weft 1\n" +
               many([](const std::string& i) { return "struct S" + i + " size 4 align 4 { a: f32 @0 }\n"; })));
  }
  SECTION("members of a struct") {
    std::string source = "weft 1\nstruct S size 200000 align 4 {\n";
    source +=
        many([](const std::string& i) { return "m" + i + ": u32 @" + std::to_string(4 * std::stoul(i)) + ",\n"; });
    CHECK(read(source + "}\n"));
  }
  SECTION("cases of a switch") {
    const std::string cases = many([](const std::string& i) { return "case " + i + " {\n}\n"; });
    CHECK(read(in_kernel("switch 1_u32 {\n" + cases + "}")));
  }
  SECTION("constant data") {
    const std::string data = many([](const std::string& i) { return i + ", "; });
    CHECK(read("weft 1\nconst @a: array<u32, 50000> = [" + data + "]\n"));
  }
  SECTION("values of one name, in modules that a program builds") {
    ir::Module m;
    ir::Function& f = m.add_function(ir::FunctionKind::kernel, "k");
    ir::Builder b(m, f);
    for (std::size_t i = 0; i < kMany; ++i) f.value(b.emit(ir::OpCode::warp_size)).name = m.string("x");
    CHECK(read(ir::print(m)));
  }
}
