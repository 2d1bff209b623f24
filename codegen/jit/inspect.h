// What WEFT_VERIFY and WEFT_DUMP ask for: a look at the kernel between the stages of its compilation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/ir/module.h"
#include "runtime/support/stage_times.h"

namespace weft::jit {

class Inspection {
 public:
  // Reads the environment; a name in WEFT_DUMP that is no stage with an output is reported through the log.
  Inspection();

  // IR that breaks a rule after a pass is a bug of that pass: aborts with all findings.
  void verify(const char* pass, ir::Module& module) const;
  // Logs what the stage made of the kernel, if that is asked for.
  void dump(Stage stage, const std::string& kernel, const std::function<std::string()>& text) const;

 private:
  bool verifies_;
  std::vector<Stage> dumped_;
};

}  // namespace weft::jit
