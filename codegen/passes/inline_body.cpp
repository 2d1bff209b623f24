#include "codegen/passes/inline_body.h"

#include <algorithm>

#include "codegen/passes/returns.h"
#include "codegen/passes/rewrite.h"

namespace weft::passes {

using namespace ir;

namespace {

class Body : public Rewriter {
 public:
  Body(const Function& callee, std::span<const ValueId> arguments, Builder& builder)
      : Rewriter(callee, builder), returns_(callee) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      map(callee.parameters[i].value, arguments[i]);
    }
  }
  virtual ValueId place() = 0;

 protected:
  [[nodiscard]] const Returns& returns() const { return returns_; }
  [[nodiscard]] bool has_result() const { return from().result_type != kVoid; }
  void declare_result() { result_ = has_result() ? builder().local(from().result_type) : ValueId(); }
  void store_result(const Op& op) {
    if (has_result()) {
      builder().store(result_, mapped(from().operand(op, 0)));
    }
  }
  ValueId load_result() { return has_result() ? builder().load(result_) : ValueId(); }

 private:
  Returns returns_;
  ValueId result_;
};

// The only return comes last.
class StraightBody : public Body {
 public:
  using Body::Body;

  ValueId place() override {
    rewrite_region(from().body());
    return has_result() && !value_.valid() ? builder().zero(from().result_type) : value_;
  }

 protected:
  void rewrite(const Op& op) override {
    if (op.code != OpCode::return_) {
      copy(op);
    } else if (has_result()) {
      value_ = mapped(from().operand(op, 0));
    }
  }

 private:
  ValueId value_;  // stays invalid where no lane returns
};

// Every return ends a branch: `if c { return x }; rest` becomes `if c { result = x } else { rest }`.
class NestedBody : public Body {
 public:
  using Body::Body;

  ValueId place() override {
    declare_result();
    const RegionId here = builder().region();
    place_ops(from().region(from().body()).ops, nullptr);
    builder().set_region(here);
    return load_result();
  }

 private:
  // What follows the ops at hand, in the enclosing regions from the inside out.
  struct Rest {
    std::span<const OpId> ops;
    const Rest* outer;
  };

  // Appends the ops and then the rest.
  void place_ops(std::span<const OpId> ops, const Rest* rest) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const Op& op = from().op(ops[i]);
      builder().set_location(op.location);
      if (op.code == OpCode::return_) {
        store_result(op);
        return;
      }
      if (returns().within(ops[i])) {
        const Rest after{ops.subspan(i + 1), rest};
        place_branches(op, &after);
        return;
      }
      rewrite(op);
      if (is_terminator(op.code)) {
        return;
      }
    }
    if (rest != nullptr) {
      place_ops(rest->ops, rest->outer);
    }
  }

  // The rest goes where lanes come to a region's end; that is one region, or there is no rest.
  void place_branches(const Op& op, const Rest* rest) {
    Function& to = builder().function();
    const RegionId here = builder().region();
    const OpId branch =
        builder().emit_regions(op.code, {mapped(from().operand(op, 0))}, op.region_count, copied_immediate(op));
    for (std::uint32_t i = 0; i < op.region_count; ++i) {
      const RegionId region = from().regions(op)[i];
      builder().set_region(to.regions(to.op(branch))[i]);
      place_ops(from().region(region).ops, returns().end(region) ? nullptr : rest);
    }
    builder().set_region(here);
  }
};

// Anything else: a loop that runs once.
class LoopBody : public Body {
 public:
  using Body::Body;

  ValueId place() override {
    declare_result();
    returned_ = builder().local(kBool);
    Function& to = builder().function();
    const RegionId here = builder().region();
    const OpId loop = builder().emit_regions(OpCode::loop, {}, 3);
    builder().set_region(to.regions(to.op(loop))[0]);
    builder().emit(OpCode::yield, {builder().constant_bool(true)});
    const RegionId body = to.regions(to.op(loop))[1];
    builder().set_region(body);
    rewrite_region(from().body());
    if (to.region(body).ops.empty() || !is_terminator(to.op(to.region(body).ops.back()).code)) {
      builder().emit(OpCode::break_);
    }
    builder().set_region(here);
    return load_result();
  }

 protected:
  void rewrite(const Op& op) override {
    if (op.code == OpCode::return_) {
      store_result(op);
      builder().store(returned_, builder().constant_bool(true));
      builder().emit(OpCode::break_);
      return;
    }
    copy(op);
    if (op.code == OpCode::loop && has_return(op)) {
      leave_if_returned();
    }
  }

 private:
  bool has_return(const Op& loop) {
    return std::ranges::any_of(from().regions(loop), [&](RegionId region) {
      return std::ranges::any_of(from().region(region).ops, [&](OpId id) { return returns().within(id); });
    });
  }

  void leave_if_returned() {
    Function& to = builder().function();
    const RegionId here = builder().region();
    const OpId branch = builder().emit_regions(OpCode::if_, {builder().load(returned_)}, 2);
    builder().set_region(to.regions(to.op(branch))[0]);
    builder().emit(OpCode::break_);
    builder().set_region(here);
  }

  ValueId returned_;
};

}  // namespace

ValueId inline_body(const Function& callee, std::span<const ValueId> arguments, Builder& builder) {
  const Location location = builder.location();
  const Returns returns(callee);
  ValueId result;
  if (returns.only_last()) {
    result = StraightBody(callee, arguments, builder).place();
  } else if (returns.nest()) {
    result = NestedBody(callee, arguments, builder).place();
  } else {
    result = LoopBody(callee, arguments, builder).place();
  }
  builder.set_location(location);
  return result;
}

}  // namespace weft::passes
