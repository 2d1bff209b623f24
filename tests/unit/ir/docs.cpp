// The whole modules that docs/ir.md shows are right.
#include <catch2/catch.hpp>

#include "codegen/ir/verify/verify.h"
#include "tests/support/files.h"

using namespace weft;

TEST_CASE("docs: the modules shown can be read and keep the rules") {
  const std::string page = test::read_text(std::filesystem::path(WEFT_TESTS).parent_path() / "docs" / "ir.md");
  std::size_t shown = 0;
  for (std::size_t at = page.find("```\nweft 1\n"); at != std::string::npos; at = page.find("```\nweft 1\n", at + 1)) {
    const std::string source = page.substr(at + 4, page.find("\n```", at) - at - 3);
    if (source.find("...") != std::string::npos) continue;  // an outline
    auto module = ir::parse_verified(source, "docs/ir.md");
    if (!module) FAIL(print(module.diagnostics()));
    ++shown;
  }
  CHECK(shown == 1);
}
