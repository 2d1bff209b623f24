#include "tests/fuzz/expressions.h"

#include <algorithm>

namespace weft::fuzz {

using ir::OpCode;
using ir::TypeId;
using ir::ValueId;

namespace {

constexpr TypeId kTypes[] = {ir::kU32,  ir::kU32, ir::kU32, ir::kI32, ir::kI32, ir::kF32, ir::kF32,
                             ir::kBool, ir::kU64, ir::kI64, ir::kU8,  ir::kI16, ir::kF64, ir::kF16};
constexpr OpCode kIntegerOps[] = {OpCode::add,  OpCode::sub,  OpCode::mul, OpCode::div,  OpCode::rem,      OpCode::and_,
                                  OpCode::or_,  OpCode::xor_, OpCode::shl, OpCode::shr,  OpCode::min,      OpCode::max,
                                  OpCode::rotl, OpCode::rotr, OpCode::add, OpCode::and_, OpCode::mul_high, OpCode::shr};
constexpr OpCode kIntegerUnary[] = {OpCode::neg, OpCode::abs, OpCode::not_,        OpCode::popcount,
                                    OpCode::clz, OpCode::ctz, OpCode::reverse_bits};
constexpr OpCode kFloatOps[] = {OpCode::add, OpCode::sub, OpCode::mul,     OpCode::div,
                                OpCode::min, OpCode::max, OpCode::copysign};
constexpr OpCode kFloatUnary[] = {OpCode::neg,   OpCode::abs,  OpCode::sqrt,  OpCode::floor, OpCode::ceil,
                                  OpCode::trunc, OpCode::rint, OpCode::round, OpCode::sin,   OpCode::exp};
constexpr OpCode kComparisons[] = {OpCode::eq, OpCode::ne, OpCode::lt, OpCode::le, OpCode::gt, OpCode::ge};
constexpr OpCode kBoolOps[] = {OpCode::and_, OpCode::or_, OpCode::xor_};
constexpr double kNumbers[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 64, 255, 1000, -1, -3, 0.5, 1.5, 0.1, 1e10};

}  // namespace

TypeId Expressions::any_type() { return random_.pick(kTypes); }

ValueId Expressions::constant(TypeId type) {
  if (type == ir::kBool) {
    return b_.constant_bool(random_.once_in(2));
  }
  return b_.constant_number(type, random_.pick(kNumbers));
}

ValueId Expressions::value(TypeId type, bool uniform) {
  std::vector<ValueId> fitting;
  for (const Visible& v : visible_) {
    if (b_.function().type(v.value) == type && (v.uniform || !uniform)) {
      fitting.push_back(v.value);
    }
  }
  if (!fitting.empty() && !random_.once_in(4)) {
    // Later values are likelier: they hold more.
    const auto count = static_cast<std::uint32_t>(fitting.size());
    return fitting[std::max(random_.below(count), random_.below(count))];
  }
  return random_.once_in(3) ? constant(type) : compute(type, uniform);
}

ValueId Expressions::compute(TypeId type, bool uniform) {
  // Of types that nothing visible has, a conversion ends the search.
  const bool known = std::ranges::any_of(
      visible_, [&](const Visible& v) { return b_.function().type(v.value) == type && (v.uniform || !uniform); });
  ValueId result;
  if (!known || random_.once_in(6)) {
    result = converted(type, uniform);
  } else if (type == ir::kBool) {
    result = bool_op(uniform);
  } else {
    const bool floating = type == ir::kF16 || type == ir::kF32 || type == ir::kF64;
    result = floating ? float_op(type, uniform) : integer_op(type, uniform);
  }
  add(result, uniform);
  return result;
}

ValueId Expressions::converted(TypeId type, bool uniform) {
  std::vector<ValueId> sources;
  for (const Visible& v : visible_) {
    if ((v.uniform || !uniform) && b_.function().type(v.value) != type) {
      sources.push_back(v.value);
    }
  }
  return sources.empty() ? constant(type) : b_.emit(OpCode::cast, {random_.pick_of(sources)}, 0, type);
}

ValueId Expressions::integer_op(TypeId type, bool uniform) {
  const ValueId a = value(type, uniform);
  if (random_.once_in(5)) {
    return b_.emit(random_.pick(kIntegerUnary), {a});
  }
  if (random_.once_in(8)) {
    return b_.emit(OpCode::select, {value(ir::kBool, uniform), a, value(type, uniform)});
  }
  return b_.emit(random_.pick(kIntegerOps), {a, random_.once_in(2) ? constant(type) : value(type, uniform)});
}

ValueId Expressions::float_op(TypeId type, bool uniform) {
  const ValueId a = value(type, uniform);
  if (random_.once_in(4)) {
    return b_.emit(random_.pick(kFloatUnary), {a});
  }
  if (random_.once_in(8)) {
    return b_.emit(OpCode::fma, {a, value(type, uniform), value(type, uniform)});
  }
  if (random_.once_in(8)) {
    return b_.emit(OpCode::select, {value(ir::kBool, uniform), a, value(type, uniform)});
  }
  return b_.emit(random_.pick(kFloatOps), {a, value(type, uniform)});
}

ValueId Expressions::bool_op(bool uniform) {
  if (random_.once_in(4)) {
    return b_.emit(random_.pick(kBoolOps), {value(ir::kBool, uniform), value(ir::kBool, uniform)});
  }
  const TypeId type = random_.once_in(3) ? ir::kF32 : random_.once_in(2) ? ir::kU32 : ir::kI32;
  return b_.emit(random_.pick(kComparisons), {value(type, uniform), value(type, uniform)});
}

ValueId Expressions::digest(ValueId v) {
  const TypeId type = b_.function().type(v);
  if (type == ir::kU32) {
    return v;
  }
  const bool floating = type == ir::kF16 || type == ir::kF32 || type == ir::kF64;
  if (!floating) {
    const ValueId wide = b_.emit(OpCode::cast, {v}, 0, ir::kU64);
    const ValueId high = b_.emit(OpCode::shr, {wide, b_.constant(ir::kU64, {32})});
    return b_.emit(OpCode::cast, {b_.emit(OpCode::xor_, {wide, high})}, 0, ir::kU32);
  }
  const ValueId nan = b_.emit(OpCode::is_nan, {v});
  const ValueId clean = b_.emit(OpCode::select, {nan, b_.constant_number(type, 1), v});
  const TypeId bits = type == ir::kF16 ? ir::kU16 : type == ir::kF32 ? ir::kU32 : ir::kU64;
  const ValueId raw = b_.emit(OpCode::bitcast, {clean}, 0, bits);
  return type == ir::kF32 ? raw : digest(raw);
}

}  // namespace weft::fuzz
