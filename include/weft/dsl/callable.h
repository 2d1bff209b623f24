// Callables: functions that kernels and other callables call.
//
//   Callable luminance{"luminance", [](Expr<float3> c) { return dot(c, float3(0.2126f, 0.7152f, 0.0722f)); }};
//   Callable advance{"advance", [](Var<Particle>& p, Float dt) { p.position += p.velocity * dt; }};
//
// A parameter Var<T> or Expr<T> is passed by value; Var<T>& is a reference to a local variable or shared memory, or a
// part of one. The lambda runs once for each kernel that uses the callable; what it returns is the result, and
// $return(x) may return early. A callable does not call itself, directly or through others.
#pragma once

#include <weft/dsl/buffer.h>
#include <weft/dsl/shared.h>

#include <utility>

namespace weft {

namespace dsl {

// How a lambda's parameter is described, made from a recorded value, and given by a caller.
template <class P>
struct Parameter;

template <class T>
struct Parameter<Var<T>> {
  static constexpr ParameterInfo info{&kTypeInfo<T>};
  using Given = Initial<T>;
  static Var<T> bind(ExprId id, Where where) { return Var<T>(Expr<T>(At{value_node(id)}), where); }
  static Operand give(const Given& value) { return value; }
};
template <class T>
struct Parameter<Expr<T>> {
  static constexpr ParameterInfo info{&kTypeInfo<T>};
  using Given = Initial<T>;
  static Expr<T> bind(ExprId id, Where) { return Expr<T>(At{value_node(id)}); }
  static Operand give(const Given& value) { return value; }
};
template <class T>
struct Parameter<BufferVar<T>> {
  static constexpr ParameterInfo info{&kBufferInfo<T>};
  using Given = BufferVar<T>;
  static BufferVar<T> bind(ExprId id, Where) { return BufferVar<T>(At{value_node(id)}); }
  static Operand give(const Given& buffer) {
    Operand o;
    o.node = Access::node(buffer);
    o.type = o.to = &kBufferInfo<T>;
    return o;
  }
};
template <>
struct Parameter<ByteBufferVar> {
  static constexpr ParameterInfo info{&kByteBufferInfo};
  using Given = ByteBufferVar;
  static ByteBufferVar bind(ExprId id, Where) { return ByteBufferVar(At{value_node(id)}); }
  static Operand give(const Given& buffer) {
    Operand o;
    o.node = Access::node(buffer);
    o.type = o.to = &kByteBufferInfo;
    return o;
  }
};

// A reference argument: a variable, an element of an array, a part of either.
template <class T>
struct PlaceOf : Operand {
  PlaceOf(const Place<T>& place, Where where = Where::current()) : Operand(operand_at<T>(Access::node(place), where)) {}
};

// The variable that a reference parameter binds to lives as long as the lambda's run.
template <class T>
struct Parameter<Var<T>&> {
  static constexpr ParameterInfo info{&kReferenceInfo<T>, true};
  using Given = PlaceOf<T>;
  struct Holder {
    Var<T> variable;
    operator Var<T>&() { return variable; }
  };
  static Holder bind(ExprId id, Where) { return {Var<T>(At{place_node(id)})}; }
  static Operand give(const Given& place) {
    Operand o;
    o.node = value_node(reference(place.node, place.where));
    o.type = o.to = &kReferenceInfo<T>;
    o.where = place.where;
    return o;
  }
};

template <class P>
using parameter_t =
    Parameter<std::conditional_t<std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>, P,
                                 std::remove_cvref_t<P>>>;

// What a lambda's result is in a callable: nothing, or a value.
template <class R>
struct Result {
  using type = value_t<R>;
  static constexpr const TypeInfo* info = &kTypeInfo<type>;
};
template <>
struct Result<void> {
  using type = void;
  static constexpr const TypeInfo* info = nullptr;
};

template <class F>
struct SignatureOf {
  static_assert(requires { &F::operator(); }, "expected a lambda whose parameters have types, not auto");
  using type = typename SignatureOf<decltype(&F::operator())>::type;
};
template <class F, class R, class... P>
struct SignatureOf<R (F::*)(P...) const> {
  using type = R(P...);
};
template <class F, class R, class... P>
struct SignatureOf<R (F::*)(P...)> : SignatureOf<R (F::*)(P...) const> {};
template <class R, class... P>
struct SignatureOf<R (*)(P...)> {
  using type = R(P...);
};
template <class F>
using signature_t = typename SignatureOf<F>::type;

// Runs a lambda on parameters and records what it returns.
template <class F, class Signature>
struct Invoke;
template <class F, class R, class... P>
struct Invoke<F, R(P...)> {
  static void run(const void* lambda, const ExprId* parameters, Where where) {
    call(*static_cast<const F*>(lambda), parameters, where, std::index_sequence_for<P...>());
  }
  template <std::size_t... I>
  static void call(const F& lambda, [[maybe_unused]] const ExprId* parameters, [[maybe_unused]] Where where,
                   std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) {
      lambda(parameter_t<P>::bind(parameters[I], where)...);
    } else {
      return_result(operand<value_t<R>>(lambda(parameter_t<P>::bind(parameters[I], where)...), where));
    }
  }
};

// A name and the place where it was given.
struct Name {
  const char* text;
  Where where;
  Name(const char* text, Where where = Where::current()) : text(text), where(where) {}
  Name(const std::string& text, Where where = Where::current()) : text(text.c_str()), where(where) {}
};

}  // namespace dsl

// Callable<Float(Float3, Var<uint>&)>, usually deduced from the lambda. Copies are the same callable.
template <class Signature>
class Callable;

template <class R, class... P>
class Callable<R(P...)> {
 public:
  template <class F>
  Callable(dsl::Name name, F lambda)
      : lambda_(std::make_shared<F>(static_cast<F&&>(lambda))),
        run_(&dsl::Invoke<F, dsl::signature_t<F>>::run),
        name_(name.text),
        where_(name.where) {}

  // Records a call.
  auto operator()(typename dsl::parameter_t<P>::Given... arguments, dsl::Where where = dsl::Where::current()) const {
    static constexpr dsl::ParameterInfo parameters[] = {dsl::parameter_t<P>::info..., {nullptr}};
    const dsl::Operand operands[] = {dsl::parameter_t<P>::give(arguments)..., {}};
    const dsl::FunctionInfo function{name_.c_str(), parameters, sizeof...(P), dsl::Result<R>::info, where_};
    const dsl::ExprId id = dsl::call(lambda_.get(), function, {run_, lambda_.get()}, operands, where);
    if constexpr (!std::is_void_v<R>) {
      return Expr<typename dsl::Result<R>::type>(dsl::At{dsl::value_node(id)});
    }
  }

 private:
  std::shared_ptr<const void> lambda_;
  void (*run_)(const void* lambda, const dsl::ExprId* parameters, dsl::Where where);
  std::string name_;
  dsl::Where where_;
};

template <class F>
Callable(dsl::Name, F) -> Callable<dsl::signature_t<F>>;

}  // namespace weft
