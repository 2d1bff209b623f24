// The environment variables that Weft reads, one row each in env.def. A getter reads the environment anew at each call:
// keep its answer. A malformed value is reported once through the log, and the default holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::env {

enum class Kind { text, path, count, flag, choice };

enum class Id {
#define WEFT_ENV(id, name, kind, standard, choices, meaning) id,
#include "runtime/support/env.def"
#undef WEFT_ENV
};

// One row of the table.
struct Variable {
  const char* name;
  Kind kind;
  const char* standard;  // value when unset, written as in the environment
  const char* choices;   // words split by '|', for Kind::choice
  const char* meaning;   // one line
};

// What the environment says of a variable.
struct Reading {
  std::string value;    // as found if it is well formed, else the default
  std::string problem;  // empty, or what is wrong: names the variable, what was found and what was expected
};

// All variables, in the order of Id.
std::span<const Variable> variables();

// Reads and validates a variable, without reporting a problem.
Reading read(Id id);

namespace detail {

// Reads a variable and logs its problem unless that was done before in this process.
std::string read_reporting(Id id);
std::uint64_t read_count(Id id);

template <Kind kKind>
auto get(Id id) {
  if constexpr (kKind == Kind::count) {
    return read_count(id);
  } else if constexpr (kKind == Kind::flag) {
    return read_reporting(id) == "1";
  } else {
    return read_reporting(id);
  }
}

}  // namespace detail

// weft::env::threads() and so on: std::uint64_t for a count, bool for a flag, std::string for the others.
#define WEFT_ENV(id, name, kind, standard, choices, meaning) \
  inline auto id() { return detail::get<Kind::kind>(Id::id); }
#include "runtime/support/env.def"
#undef WEFT_ENV

}  // namespace weft::env
