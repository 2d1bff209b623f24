// Traces: what is written is what ran.
#include "runtime/trace.h"
#include "tests/unit/runtime/launch.h"

#include <weft/error.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("trace: each command is in it, from start to stop") {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("weft-trace-" + std::to_string(getpid()) + ".json");
  Launcher launcher(GENERATE(1u, 2u));
  const auto run = [&](const char* label) {
    const auto command = std::make_shared<HostCommand>([] {});
    command->set_label(label);
    launcher.queue().submit(command);
    CHECK(launcher.queue().synchronize().ok());
  };
  run("before");
  start_trace(file);
  run("a \"quoted\" one");
  run("another");
  stop_trace();
  run("after");
  const std::string text = read(file);
  std::filesystem::remove(file);
  CHECK(text.starts_with("[\n{"));
  CHECK(text.ends_with("}\n]\n"));
  CHECK(count(text, R"("name":"a \"quoted\" one")") == 3);  // on its thread, and from begin to end in its stream
  CHECK(count(text, R"("name":"another")") == 3);
  CHECK(count(text, R"("ph":"b")") == 2);
  CHECK(count(text, "before") + count(text, "after") == 0);
}

TEST_CASE("trace: a file that cannot be written is an error") {
  CHECK_THROWS_WITH(start_trace("/nowhere/trace.json"), "the trace '/nowhere/trace.json' cannot be written");
  CHECK_FALSE(is_tracing());
}
