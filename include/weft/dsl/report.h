// What a kernel says to the outside: print, assert, unreachable.
#pragma once

#include <weft/dsl/value.h>

namespace weft {

namespace dsl {
// A format and the place of the call.
struct Format {
  const char* text;
  Where where;
  Format(const char* text, Where where = Where::current()) : text(text), where(where) {}
};
template <class X>
concept Printable = Value<X> && Componentwise<value_t<X>>;
}  // namespace dsl

// Prints a line for each active lane; each {} stands for a value, and a vector is printed as (x, y, z).
template <dsl::Printable... X>
void print(dsl::Format format, X&&... values) {
  dsl::record_print(format.text, format.where, {dsl::operand<dsl::value_t<X>>(values, format.where)...});
}

// A lane where the condition is false stops the dispatch with a fault that gives the message, place, block and lane.
// $assert(condition) gives the condition's own text as message.
inline void device_assert(dsl::Condition condition, const char* message = "assertion failed") {
  dsl::record_assert(condition, message);
}

// A lane that comes here stops the dispatch with a fault.
inline void unreachable(const char* message = "unreachable code was reached",
                        dsl::Where where = dsl::Where::current()) {
  dsl::record_unreachable(message, where);
}

}  // namespace weft
