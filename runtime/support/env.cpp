// Reading and validating environment variables.
#include "runtime/support/env.h"

#include "runtime/support/log.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace weft::env {
namespace {

constexpr std::array kVariables = {
#define WEFT_ENV(id, name, kind, standard, choices, meaning) Variable{#name, Kind::kind, standard, choices, meaning},
#include "runtime/support/env.def"
#undef WEFT_ENV
};

const Variable& variable(Id id) { return kVariables[static_cast<std::size_t>(id)]; }

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_one_of(std::string_view word, std::string_view choices) {
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    if (choices.substr(0, bar) == word) return true;
    choices = bar == std::string_view::npos ? std::string_view{} : choices.substr(bar + 1);
  }
  return false;
}

// What a well-formed value would be, or nothing if `text` is one.
std::optional<std::string> expected_instead_of(std::string_view text, const Variable& row) {
  switch (row.kind) {
    case Kind::text:
    case Kind::path: return std::nullopt;
    case Kind::count:
      if (parse_count(text)) return std::nullopt;
      return "a whole number";
    case Kind::flag:
      if (text == "0" || text == "1") return std::nullopt;
      return "0 or 1";
    case Kind::choice:
      if (is_one_of(text, row.choices)) return std::nullopt;
      return fmt::format("one of {}", row.choices);
  }
  return std::nullopt;
}

}  // namespace

std::span<const Variable> variables() { return kVariables; }

Reading read(Id id) {
  const Variable& row = variable(id);
  const char* found = std::getenv(row.name);
  if (found == nullptr || *found == '\0') return {row.standard, {}};
  if (const auto expected = expected_instead_of(found, row)) {
    return {row.standard, fmt::format("environment variable {} is '{}', expected {}; using {}", row.name, found,
                                      *expected, row.standard)};
  }
  return {found, {}};
}

namespace detail {

std::string read_reporting(Id id) {
  // Orders nothing: it only picks the one thread that reports.
  static std::array<std::atomic<bool>, kVariables.size()> reported{};
  Reading reading = read(id);
  if (!reading.problem.empty() && !reported[static_cast<std::size_t>(id)].exchange(true, std::memory_order_relaxed)) {
    log_warn("{}", reading.problem);
  }
  return std::move(reading.value);
}

std::uint64_t read_count(Id id) { return parse_count(read_reporting(id)).value_or(0); }

}  // namespace detail
}  // namespace weft::env
