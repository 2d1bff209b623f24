// The key of an object: it changes with everything that decides the code.
#include "codegen/jit/object_key.h"

#include "codegen/ir/verify/verify.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace weft;

namespace {

std::unique_ptr<ir::Module> parsed(const std::string& body) {
  auto module = ir::parse_verified("weft 1\nkernel @k(%out: buffer<u32>) block(8) {\n" + body + "}\n", "key.weft");
  REQUIRE(module);
  return std::move(*module);
}

// Another value of each type that an option has.
void change(std::string& text) { text += "x"; }
void change(std::uint32_t& number) { ++number; }
void change(bool& flag) { flag = !flag; }
template <typename T>
  requires std::is_enum_v<T>
void change(T& value) {
  value = static_cast<T>(static_cast<int>(value) + 1);
}
template <typename T>
void change(std::optional<T>& value) {
  value = T{};
}
void change(jit::SpecBits& specs) { specs[3] = 0; }

}  // namespace

TEST_CASE("object key: every option, and every value of it, is part of the key") {
  const auto module = parsed("");
  const jit::Target target{"cpu", "+a", 256};
  const jit::CompileOptions base;
  std::set<std::string> keys{jit::object_key(*module, base, target).text()};
  std::size_t count = 1;
  const auto add = [&](const char* option, const jit::CompileOptions& options) {
    INFO(option);
    CHECK(keys.insert(jit::object_key(*module, options, target).text()).second);
    ++count;
  };
#define WEFT_COMPILE_OPTION(type, name, initial, meaning) \
  {                                                       \
    jit::CompileOptions options = base;                   \
    change(options.name);                                 \
    add(#name, options);                                  \
  }
#include "codegen/jit/options.def"
#undef WEFT_COMPILE_OPTION
  add("another width", {.width = 4});
  add("another value of math", {.math = ir::MathMode::fast});
  add("another value of unchecked", {.unchecked = true});
  add("another value of a specialisation constant", {.specs = {{3, 1}}});
  add("another specialisation constant", {.specs = {{4, 0}}});
  CHECK(keys.size() == count);
}

TEST_CASE("object key: the processor is part of the key") {
  const auto module = parsed("");
  const std::set<std::string> keys{
      jit::object_key(*module, {}, {"a", "+x", 256}).text(), jit::object_key(*module, {}, {"b", "+x", 256}).text(),
      jit::object_key(*module, {}, {"a", "+y", 256}).text(), jit::object_key(*module, {}, {"a", "+x", 512}).text()};
  CHECK(keys.size() == 4);
}

TEST_CASE("object key: the kernel is part of the key, and nothing else is") {
  const jit::Target target{"cpu", "+a", 256};
  const std::string body = "  write %out[dispatch_id.x], 1\n";
  const Digest key = jit::object_key(*parsed(body), {}, target);
  CHECK(jit::object_key(*parsed(body), {}, target) == key);
  CHECK(jit::object_key(*parsed("  write %out[dispatch_id.x], 2\n"), {}, target) != key);
}

TEST_CASE("object key: this program has a build id") {
  CHECK(jit::build_id().size() == 20);
  CHECK(std::ranges::any_of(jit::build_id(), [](char c) { return c != 0; }));
}
