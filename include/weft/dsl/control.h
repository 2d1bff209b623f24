// Control flow of kernels as functions that take lambdas; macros.h has $if, $while, $for ... as sugar for them.
//
//   if_(x > 0.f, [&] { ... }).elif(x < 0.f, [&] { ... }).else_([&] { ... });
//   while_([&] { return d > 0u; }, [&] { ... });       // the condition is recorded once and evaluated each time
//   for_(range(0u, n), [&](Expr<uint> i) { ... });
//   loop_([&] { if_(done, [] { break_(); }); });
//   switch_(kind).case_(0, [&] { ... }).case_({1, 2}, [&] { ... }).default_([&] { ... });
//
// A switch's cases do not fall through: break_() leaves the innermost loop.
#pragma once

#include <weft/dsl/value.h>

namespace weft {

namespace dsl {

// Closes the constructs opened since, also when an exception passes.
class Scope {
 public:
  explicit Scope(Token token) : token_(token) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { end(token_); }
  [[nodiscard]] Token token() const { return token_; }

 private:
  Token token_;
};

}  // namespace dsl

// The chain if_().elif().else_(): while it lasts, what is recorded between its calls belongs to the else region, so
// that an elif's condition is evaluated only when it is reached.
class If {
 public:
  explicit If(dsl::Condition condition) : scope_(dsl::begin_if(condition)), last_(scope_.token()) {}
  template <class F>
  If(dsl::Condition condition, F&& body) : If(condition) {
    then(static_cast<F&&>(body));
  }

  template <class F>
  If& then(F&& body) {
    body();
    dsl::begin_else(last_);
    return *this;
  }
  template <class F>
  If& elif (dsl::Condition condition, F&& body) {
    last_ = dsl::begin_if(condition);
    return then(static_cast<F&&>(body));
  }
  template <class F>
  void else_(F&& body) {
    body();
  }

  // For the macros: If(a) % [&] {...} * [&] { return b; } % [&] {...} / [&] {...}
  template <class F>
  If& operator%(F&& body) {
    return then(static_cast<F&&>(body));
  }
  template <class C>
  If& operator*(C&& condition) {
    last_ = dsl::begin_if(condition());
    return *this;
  }
  template <class F>
  void operator/(F&& body) {
    body();
  }

 private:
  dsl::Scope scope_;
  dsl::Token last_;
};

template <class F>
If if_(dsl::Condition condition, F&& then) {
  return If(condition, static_cast<F&&>(then));
}

template <class C, class F>
void while_(C&& condition, F&& body, dsl::Where where = dsl::Where::current()) {
  const dsl::Scope scope(dsl::begin_loop(where));
  dsl::loop_body(dsl::Condition(condition(), where));
  body();
}

template <class F>
void loop_(F&& body, dsl::Where where = dsl::Where::current()) {
  while_([] { return true; }, static_cast<F&&>(body), where);
}

// The integers from begin to end, end excluded, evaluated once before the loop. A step known to the host may be
// negative; one computed in the kernel counts upwards.
template <class T>
struct Range {
  Expr<T> begin, end, step;
  bool descends;
  dsl::Where where;
};

namespace dsl {
template <class X>
constexpr bool is_negative(const X& x) {
  if constexpr (HostScalar<X>) {
    return x < X(0);
  } else {
    return false;
  }
}
}  // namespace dsl

template <dsl::Value B, dsl::Value E, dsl::Value S>
  requires dsl::Integer<dsl::common_t<dsl::value_t<B>, dsl::value_t<E>>>
auto range(B&& begin, E&& end, S&& step, dsl::Where where = dsl::Where::current()) {
  using T = dsl::common_t<dsl::value_t<B>, dsl::value_t<E>>;
  return Range<T>{dsl::snapshot<T>(begin, where), dsl::snapshot<T>(end, where), dsl::snapshot<T>(step, where),
                  dsl::is_negative(step), where};
}

template <dsl::Value B, dsl::Value E>
auto range(B&& begin, E&& end, dsl::Where where = dsl::Where::current()) {
  return range(static_cast<B&&>(begin), static_cast<E&&>(end), 1, where);
}

template <dsl::Value E>
auto range(E&& end, dsl::Where where = dsl::Where::current()) {
  return range(dsl::value_t<E>(0), static_cast<E&&>(end), 1, where);
}

template <class T, class F>
void for_(const Range<T>& range, F&& body) {
  Var<T> counter(range.begin, range.where);
  const dsl::Scope scope(dsl::begin_loop(range.where));
  const Expr<T> now(counter, range.where);
  const char* in_range = range.descends ? "gt" : "lt";
  const Expr<bool> condition = dsl::binary<bool>(in_range, dsl::operand<T>(now, range.where),
                                                 dsl::operand<T>(range.end, range.where), dsl::kTypeInfo<T>);
  dsl::loop_body(dsl::Condition(condition, range.where));
  body(now);
  dsl::loop_update();
  dsl::update(dsl::Access::node(counter), "add", dsl::operand<T>(range.step, range.where));
}

inline void break_(dsl::Where where = dsl::Where::current()) { dsl::break_loop(where); }
inline void continue_(dsl::Where where = dsl::Where::current()) { dsl::continue_loop(where); }

// Ends the lane's run of the kernel or callable; in a callable with a result, gives it.
inline void return_(dsl::Where where = dsl::Where::current()) { dsl::return_nothing(where); }
template <dsl::Value X>
void return_(X&& result, dsl::Where where = dsl::Where::current()) {
  dsl::return_result(dsl::operand<dsl::value_t<X>>(result, where));
}

class Switch {
 public:
  explicit Switch(dsl::Index value) : scope_(dsl::begin_switch(value)) {}

  template <class F>
  Switch& case_(std::int64_t value, F&& body, dsl::Where where = dsl::Where::current()) {
    return case_({value}, static_cast<F&&>(body), where);
  }
  template <class F>
  Switch& case_(std::initializer_list<std::int64_t> values, F&& body, dsl::Where where = dsl::Where::current()) {
    const dsl::Scope scope(dsl::begin_case(values.begin(), values.size(), where));
    body();
    return *this;
  }
  // Comes last.
  template <class F>
  void default_(F&& body, dsl::Where where = dsl::Where::current()) {
    const dsl::Scope scope(dsl::begin_default(where));
    body();
  }

 private:
  dsl::Scope scope_;
};

inline Switch switch_(dsl::Index value) { return Switch(value); }

}  // namespace weft
