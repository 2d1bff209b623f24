// The digest of a module: what can differ in its text differs in the digest.
#include "codegen/ir/digest.h"

#include "codegen/ir/text/parse.h"
#include "codegen/ir/text/print.h"
#include "tests/support/files.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace weft;

namespace {

std::string digest_of(const ir::Module& module) {
  Digester digester;
  ir::add_to(digester, module);
  return digester.finish().text();
}

std::string digest_of(const std::string& text) {
  const auto module = ir::parse(text, "digest.weft");
  REQUIRE(module);
  return digest_of(**module);
}

constexpr const char* kBase = R"(weft 1
struct S size 8 align 4 { a: f32 @0, b: u32 @4 }
const @table: array<u32, 2> = [1, 2]
spec @s: u32 = 3 id(7)
callable @twice(%x: f32) -> f32 {
  %y = add %x, %x
  return %y
}
kernel @k(%in: buffer<f32>, %out: buffer<f32>) block(8) {
  %x = read %in[dispatch_id.x]
  %y = call @twice(%x)
  %ok = lt %y, 5.0
  assert %ok, "y is small"
  switch dispatch_id.x {
    case 1, 2 {
      write %out[0], %x
    }
    default {
    }
  }
  write %out[dispatch_id.x], %y
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("digest: the same text gives the same digest") { CHECK(digest_of(kBase) == digest_of(kBase)); }

TEST_CASE("digest: each change of the text gives another digest") {
  const std::pair<const char*, const char*> changes[] = {
      {"struct S", "struct T"},
      {"size 8", "size 12"},
      {"b: u32 @4", "c: u32 @4"},
      {"b: u32", "b: i32"},
      {"[1, 2]", "[1, 3]"},
      {"@table", "@tables"},
      {"= 3 id(7)", "= 4 id(7)"},
      {"id(7)", "id(8)"},
      {"block(8)", "block(16)"},
      {"block(8)", "block(8, 1)"},
      {"block(8)", "block(8) unchecked"},
      {"block(8)", "block(8) math(fast)"},
      {"block(8)", "block(8) warp(16)"},
      {"add %x, %x", "mul %x, %x"},
      {"%out: buffer<f32>)", "%out: restrict buffer<f32>)"},
      {"5.0", "6.0"},
      {"\"y is small\"", "\"y is tiny\""},
      {"case 1, 2", "case 1, 3"},
      {"case 1, 2", "case 1"},
      {"write %out[0], %x", "write %out[0], %y"},
      {"dispatch_id.x]\n", "dispatch_id.y]\n"},
      {"@k(", "@l("},
      {"%ok = ", "\n  %ok = "},  // one line lower: a fault says so
  };
  std::map<std::string, std::string> seen{{digest_of(kBase), "nothing"}};
  for (const auto& [from, to] : changes) {
    const auto [at, is_new] = seen.emplace(digest_of(replaced(kBase, from, to)), to);
    INFO(from << " -> " << to << " looks like " << at->second);
    CHECK(is_new);
  }
}

TEST_CASE("digest: modules whose texts differ have different digests") {
  std::map<std::string, std::string> texts;
  for (const auto& file : test::weft_files("text")) {
    const auto module = ir::parse(test::read_text(file), "x");
    if (!module) continue;
    const std::string text = ir::print(**module, {.locations = true});
    const auto [at, is_new] = texts.emplace(digest_of(**module), text);
    INFO(file);
    CHECK((is_new || at->second == text));
  }
  CHECK(texts.size() > 5);
}
