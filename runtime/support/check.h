// WEFT_CHECK: what must hold unless Weft itself is wrong. It aborts, in release builds too, and prints the expression,
// both values, what Weft was doing (WEFT_CONTEXT) and how to see it again (WEFT_REPRODUCE). Wrong input is never a
// failed check: it is a Diagnostic; a kernel that misbehaves is a fault.
//
//   WEFT_CHECK(block.is_open());
//   WEFT_CHECK_EQ(op.operands.size(), 2, "operands of {}", op.name());
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

// What the running thread is doing, for the message of a failed check. The strings must outlive the scope.
class ContextScope {
 public:
  ContextScope(std::string_view kind, std::string_view name);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  friend std::string describe_context();
  std::string_view kind_;
  std::string_view name_;
  ContextScope* outer_;
};

// How to see a failure of the running thread again. `describe` is called when a check fails within the scope, and may
// write files; the innermost scope is asked.
class ReproduceScope {
 public:
  explicit ReproduceScope(std::function<std::string()> describe);
  ~ReproduceScope();
  ReproduceScope(const ReproduceScope&) = delete;
  ReproduceScope& operator=(const ReproduceScope&) = delete;

 private:
  friend std::string describe_reproduction();
  std::function<std::string()> describe_;
  ReproduceScope* outer_;
};

// One line per open ContextScope of the running thread, innermost first; empty if there is none.
std::string describe_context();

// What the innermost open ReproduceScope of the running thread says, or general advice.
std::string describe_reproduction();

namespace detail {

struct CheckSite {
  const char* expression;
  const char* file;
  int line;
  const char* function;
};

[[noreturn]] void check_failed(const CheckSite& site, const std::string& values, const std::string& message);

inline std::string check_message() { return {}; }

template <typename... Args>
std::string check_message(fmt::format_string<Args...> format, Args&&... args) {
  return fmt::format(format, std::forward<Args>(args)...);
}

template <typename T>
std::string show_value(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return fmt::format("{}", static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_null_pointer_v<T>) {
    return "null";
  } else if constexpr (std::is_pointer_v<T> && !std::convertible_to<T, std::string_view>) {
    return fmt::format("{}", reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr (fmt::is_formattable<T>::value) {
    return fmt::format("{}", value);
  } else {
    return fmt::format("<{} bytes>", sizeof(T));
  }
}

template <typename A, typename B>
std::string show_values(const char* left, const A& a, const char* right, const B& b) {
  return fmt::format("  {} is {}\n  {} is {}\n", left, show_value(a), right, show_value(b));
}

}  // namespace detail
}  // namespace weft

#define WEFT_CHECK(condition, ...)                                                 \
  do {                                                                             \
    if (!(condition)) [[unlikely]] {                                               \
      ::weft::detail::check_failed({#condition, __FILE__, __LINE__, __func__}, {}, \
                                   ::weft::detail::check_message(__VA_ARGS__));    \
    }                                                                              \
  } while (false)

#define WEFT_CHECK_COMPARE(left, op, right, ...)                                                      \
  do {                                                                                                \
    const auto& weft_left = (left);                                                                   \
    const auto& weft_right = (right);                                                                 \
    if (!(weft_left op weft_right)) [[unlikely]] {                                                    \
      ::weft::detail::check_failed({#left " " #op " " #right, __FILE__, __LINE__, __func__},          \
                                   ::weft::detail::show_values(#left, weft_left, #right, weft_right), \
                                   ::weft::detail::check_message(__VA_ARGS__));                       \
    }                                                                                                 \
  } while (false)

#define WEFT_CHECK_EQ(left, right, ...) WEFT_CHECK_COMPARE(left, ==, right __VA_OPT__(, ) __VA_ARGS__)
#define WEFT_CHECK_NE(left, right, ...) WEFT_CHECK_COMPARE(left, !=, right __VA_OPT__(, ) __VA_ARGS__)
#define WEFT_CHECK_LT(left, right, ...) WEFT_CHECK_COMPARE(left, <, right __VA_OPT__(, ) __VA_ARGS__)
#define WEFT_CHECK_LE(left, right, ...) WEFT_CHECK_COMPARE(left, <=, right __VA_OPT__(, ) __VA_ARGS__)
#define WEFT_CHECK_GT(left, right, ...) WEFT_CHECK_COMPARE(left, >, right __VA_OPT__(, ) __VA_ARGS__)
#define WEFT_CHECK_GE(left, right, ...) WEFT_CHECK_COMPARE(left, >=, right __VA_OPT__(, ) __VA_ARGS__)

// For a place that cannot be reached, with a message as of fmt::format.
#define WEFT_UNREACHABLE(...)                                                     \
  ::weft::detail::check_failed({"unreachable", __FILE__, __LINE__, __func__}, {}, \
                               ::weft::detail::check_message(__VA_ARGS__))

#define WEFT_CONCAT_INNER(a, b) a##b
#define WEFT_CONCAT(a, b) WEFT_CONCAT_INNER(a, b)

// Until the end of the scope: WEFT_CONTEXT("kernel", kernel.name()).
#define WEFT_CONTEXT(kind, name) const ::weft::ContextScope WEFT_CONCAT(weft_context_, __LINE__)((kind), (name))
// Until the end of the scope: WEFT_REPRODUCE([&] { return write_reproducer(module); }).
#define WEFT_REPRODUCE(describe) const ::weft::ReproduceScope WEFT_CONCAT(weft_reproduce_, __LINE__)((describe))
