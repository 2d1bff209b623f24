#include "codegen/jit/inspect.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "codegen/ir/verify/verify.h"
#include "runtime/support/check.h"
#include "runtime/support/env.h"
#include "runtime/support/log.h"

namespace weft::jit {

namespace {

// The stages that leave a kernel that can be printed.
constexpr std::array kDumpable{Stage::prepare, Stage::lower, Stage::split, Stage::optimise};

std::string_view name_of(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }

std::vector<Stage> read_stages(std::string_view words) {
  if (words == "all") {
    return {kDumpable.begin(), kDumpable.end()};
  }
  std::vector<Stage> stages;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, comma);
    const auto* const found =
        std::find_if(kDumpable.begin(), kDumpable.end(), [&](Stage stage) { return name_of(stage) == word; });
    if (found != kDumpable.end()) {
      stages.push_back(*found);
    } else {
      log_warn("WEFT_DUMP: '{}' is none of prepare, lower, split, optimise and all", word);
    }
    words.remove_prefix(std::min(comma + 1, words.size()));
  }
  return stages;
}

}  // namespace

Inspection::Inspection() : verifies_(env::verify()), dumped_(read_stages(env::dump())) {}

void Inspection::verify(const char* pass, ir::Module& module) const {
  if (!verifies_) {
    return;
  }
  const DiagnosticList findings = ir::verify(module);
  WEFT_CHECK(!findings.has_errors(), "after {}: {}", pass, print(findings));
}

void Inspection::dump(Stage stage, const std::string& kernel, const std::function<std::string()>& text) const {
  if (std::find(dumped_.begin(), dumped_.end(), stage) != dumped_.end()) {
    log_warn("kernel '{}' after {}:\n{}", kernel, name_of(stage), text());
  }
}

}  // namespace weft::jit
