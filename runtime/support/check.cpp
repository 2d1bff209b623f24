// The message of a failed check goes to standard error, not to the log: a host's sink may be what is broken.
#include "runtime/support/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace weft {
namespace {

thread_local ContextScope* innermost_context = nullptr;
thread_local ReproduceScope* innermost_reproduce = nullptr;
thread_local bool failing = false;

}  // namespace

ContextScope::ContextScope(std::string_view kind, std::string_view name)
    : kind_(kind), name_(name), outer_(std::exchange(innermost_context, this)) {}

ContextScope::~ContextScope() { innermost_context = outer_; }

ReproduceScope::ReproduceScope(std::function<std::string()> describe)
    : describe_(std::move(describe)), outer_(std::exchange(innermost_reproduce, this)) {}

ReproduceScope::~ReproduceScope() { innermost_reproduce = outer_; }

std::string describe_context() {
  std::string text;
  for (const ContextScope* scope = innermost_context; scope != nullptr; scope = scope->outer_) {
    text += fmt::format("  in {} '{}'\n", scope->kind_, scope->name_);
  }
  return text;
}

std::string describe_reproduction() {
  if (innermost_reproduce == nullptr) {
    return "run again with WEFT_DUMP_KERNELS=<folder> and give the kernels that it writes to weftc";
  }
  return innermost_reproduce->describe_();
}

namespace detail {

void check_failed(const CheckSite& site, const std::string& values, const std::string& message) {
  std::string text = fmt::format("weft: internal error: check failed: {}\n{}", site.expression, values);
  if (!message.empty()) text += fmt::format("  {}\n", message);
  text += fmt::format("  at {}:{} in {}\n{}", site.file, site.line, site.function, describe_context());
  std::fputs(text.c_str(), stderr);
  // A check that fails while the reproducer is being written must not ask for it again.
  if (!std::exchange(failing, true))
    std::fputs(fmt::format("  reproduce: {}\n", describe_reproduction()).c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace detail
}  // namespace weft
