// Result<T>: a value, or the diagnostics that say why there is none. Asking for the one that is not there is a bug of
// the caller and fails a check.
//
//   Result<Module> module = parse(text);
//   if (!module) return module.take_diagnostics();
//   use(*module);
#pragma once

#include "runtime/support/check.h"
#include "runtime/support/diagnostic.h"

#include <utility>
#include <variant>

namespace weft {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}

  // The diagnostics must hold an error: a failure that does not say why is a bug.
  Result(DiagnosticList diagnostics) : state_(std::in_place_index<1>, std::move(diagnostics)) {
    WEFT_CHECK(std::get<1>(state_).has_errors(), "a failed Result needs at least one error");
  }

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    check_value();
    return std::get<0>(state_);
  }
  const T& value() const& {
    check_value();
    return std::get<0>(state_);
  }
  T&& value() && {
    check_value();
    return std::get<0>(std::move(state_));
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const DiagnosticList& diagnostics() const {
    WEFT_CHECK(!has_value(), "a successful Result has no diagnostics");
    return std::get<1>(state_);
  }

  // Moves the diagnostics out, to be returned as the failure of another Result.
  DiagnosticList take_diagnostics() {
    WEFT_CHECK(!has_value(), "a successful Result has no diagnostics");
    return std::move(std::get<1>(state_));
  }

 private:
  void check_value() const {
    WEFT_CHECK(has_value(), "a failed Result has no value; its diagnostics:\n{}", print(std::get<1>(state_)));
  }

  std::variant<T, DiagnosticList> state_;
};

}  // namespace weft
