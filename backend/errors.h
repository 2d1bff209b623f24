// Between the C interface and exceptions: what a backend reports is kept and thrown on Weft's side; what Weft's own
// backends throw is reported. No exception crosses the interface.
#pragma once

#include <weft/backend.h>
#include <weft/error.h>

#include <optional>
#include <string>
#include <utility>

namespace weft::backend {

// Collects what one call reports.
class ErrorSink {
 public:
  ErrorSink();
  ErrorSink(const ErrorSink&) = delete;
  ErrorSink& operator=(const ErrorSink&) = delete;

  const WeftErrors* interface() const { return &errors_; }

  // Throws what was reported. A backend that failed without a word is named by `action`.
  [[noreturn]] void raise(WeftResult result, std::string_view action) const;
  // The same after a call that gave no handle.
  [[noreturn]] void raise(std::string_view action) const { raise(result_, action); }

 private:
  WeftErrors errors_;
  WeftResult result_ = WEFT_ERROR_DEVICE;
  std::string text_;
  std::optional<KernelFault> fault_;
};

// Reports the exception that is being handled.
WeftResult report_current_exception(const WeftErrors* errors) noexcept;

// Reports a fault of a kernel.
WeftResult report(const WeftErrors* errors, const KernelFault& fault);

// Runs `function` on the backend's side: gives a null handle and a report when it throws.
template <typename Function>
auto guarded(const WeftErrors* errors, Function&& function) noexcept -> decltype(function()) {
  try {
    return std::forward<Function>(function)();
  } catch (...) {
    report_current_exception(errors);
    return nullptr;
  }
}

// The same for what gives a result and no handle.
template <typename Function>
WeftResult guarded_result(const WeftErrors* errors, Function&& function) noexcept {
  try {
    std::forward<Function>(function)();
    return WEFT_OK;
  } catch (...) {
    return report_current_exception(errors);
  }
}

}  // namespace weft::backend
