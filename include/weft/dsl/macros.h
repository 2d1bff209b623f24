// Sugar for the control flow of control.h. A body is a lambda that captures by reference, so a semicolon follows it:
//
//   $if (x > 0.f) { ... } $elif (x < 0.f) { ... } $else { ... };
//   $while (d > 0u) { ... };
//   $for (i, n) { ... };   $for (i, first, last) { ... };   $for (i, first, last, step) { ... };
//   $loop { ... $if (done) { $break; }; };
//   $switch (kind) { $case (0) { ... }; $case (1, 2) { ... }; $default { ... }; };
//   $assert(index < count);
#pragma once

#include <weft/dsl/control.h>
#include <weft/dsl/report.h>

namespace weft {

template <class T, class F>
void operator%(const Range<T>& range, F&& body) {
  for_(range, static_cast<F&&>(body));
}

namespace dsl {

template <class C>
struct While {
  C condition;
  Where where;
  template <class F>
  void operator%(F&& body) {
    while_(condition, static_cast<F&&>(body), where);
  }
};
template <class C>
While<C> make_while(C condition, Where where = Where::current()) {
  return {condition, where};
}

struct SwitchBlock {
  Scope scope;
  explicit SwitchBlock(Index value) : scope(begin_switch(value)) {}
  template <class F>
  void operator%(F&& cases) {
    cases();
  }
};

struct CaseBlock {
  Scope scope;
  template <class F>
  void operator%(F&& body) {
    body();
  }
};

inline CaseBlock case_block(std::initializer_list<std::int64_t> values, Where where = Where::current()) {
  return {Scope(begin_case(values.begin(), values.size(), where))};
}
inline CaseBlock default_block(Where where = Where::current()) { return {Scope(begin_default(where))}; }

}  // namespace dsl
}  // namespace weft

#define $if(...) ::weft::If(__VA_ARGS__) % [&]()->void
#define $elif(...) *[&] { return ::weft::dsl::Condition(__VA_ARGS__); } % [&]()->void
#define $else / [&]()->void
#define $while(...) ::weft::dsl::make_while([&] { return ::weft::Expr<bool>(__VA_ARGS__); }) % [&]()->void
#define $loop ::weft::dsl::make_while([] { return true; }) % [&]()->void
#define $for(variable, ...) ::weft::range(__VA_ARGS__) % [&]([[maybe_unused]] const auto& variable)->void
#define $switch(...) ::weft::dsl::SwitchBlock(__VA_ARGS__) % [&]()->void
#define $case(...) ::weft::dsl::case_block({__VA_ARGS__}) % [&]()->void
#define $default ::weft::dsl::default_block() % [&]()->void
#define $break ::weft::break_()
#define $continue ::weft::continue_()
#define $return(...) ::weft::return_(__VA_ARGS__)
#define $assert(...) ::weft::device_assert((__VA_ARGS__), #__VA_ARGS__)
