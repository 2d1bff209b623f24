// Control flow: which region is being filled, and what may stand where.
#include <fmt/format.h>

#include "dsl/operands.h"

namespace weft::dsl {

namespace {

FunctionRecording& current(const char* what, Where where) { return FunctionRecording::current(what, where); }

ir::RegionId region(FunctionRecording& f, ir::OpId op, std::size_t index) {
  return f.function().regions(f.function().op(op))[index];
}

// Break and continue belong to the innermost loop, and only in its body.
void check_in_loop(const FunctionRecording& f, const char* what, Where where) {
  for (std::size_t i = f.frames().size(); i-- > 0;) {
    switch (f.frames()[i].kind) {
      case FrameKind::loop: return;
      case FrameKind::condition:
        fail(where, fmt::format("{} stands in a loop's condition, expected in its body", what));
      case FrameKind::body:
      case FrameKind::branch:
      case FrameKind::update:
      case FrameKind::cases:
      case FrameKind::one_case: break;
    }
  }
  fail(where, fmt::format("{} stands outside of any loop", what));
}

void check_no_condition(const FunctionRecording& f, Where where) {
  for (std::size_t i = f.frames().size(); i-- > 0;) {
    if (f.frames()[i].kind == FrameKind::loop) {
      --i;
    }  // its condition is done
    else if (f.frames()[i].kind == FrameKind::condition) {
      fail(where, "return_ stands in a loop's condition");
    }
  }
}

void check_result(FunctionRecording& f, ir::TypeId found, Where where) {
  const ir::TypeId expected = f.function().result_type;
  if (found == expected) {
    return;
  }
  const bool kernel = f.callable() == nullptr;
  const auto text = [&](ir::TypeId t) { return t == ir::kVoid ? std::string("nothing") : f.module().types.text(t); };
  fail(where, fmt::format("return_ gives {}, but {} '{}' returns {}", text(found), kernel ? "kernel" : "callable",
                          f.function().name, text(expected)));
}

Token begin_case_region(FunctionRecording& f, bool is_default) {
  const Token token = f.token();
  const ir::OpId op = f.top().op;
  f.top().has_default = is_default;
  f.push({FrameKind::one_case, f.function().add_region_to(op), op});
  return token;
}

FunctionRecording& in_switch(const char* what, Where where) {
  FunctionRecording& f = current(what, where);
  if (f.top().kind != FrameKind::cases) {
    fail(where, fmt::format("{} stands outside of a switch", what));
  }
  if (f.top().has_default) {
    fail(where, fmt::format("{} stands after default_, which comes last", what));
  }
  return f;
}

}  // namespace

Token begin_if(const Operand& condition) {
  FunctionRecording& f = current("if_", condition.where);
  const ir::ValueId value = evaluate(f, condition);
  const Token token = f.token();
  const ir::OpId op = f.emit_regions(ir::OpCode::if_, {value}, 2, condition.where);
  f.push({FrameKind::branch, region(f, op, 0), op});
  return token;
}

void begin_else(Token token) {
  FunctionRecording& f = *FunctionRecording::current_or_null();
  f.pop_to(token.depth + 1);
  const ir::OpId op = f.top().op;
  f.pop_to(token.depth);
  f.push({FrameKind::branch, region(f, op, 1), op});
}

Token begin_loop(Where where) {
  FunctionRecording& f = current("a loop", where);
  const Token token = f.token();
  const ir::OpId op = f.emit_regions(ir::OpCode::loop, {}, 3, where);
  f.push({FrameKind::condition, region(f, op, 0), op});
  return token;
}

void loop_body(const Operand& condition) {
  FunctionRecording& f = current("a loop", condition.where);
  f.emit_end(ir::OpCode::yield, {evaluate(f, condition)}, condition.where);
  const ir::OpId op = f.top().op;
  f.push({FrameKind::loop, region(f, op, 1), op});
}

void loop_update() {
  FunctionRecording& f = *FunctionRecording::current_or_null();
  const ir::OpId op = f.top().op;
  f.pop_to(f.frames().size() - 1);
  f.push({FrameKind::update, region(f, op, 2), op});
}

Token begin_switch(const Operand& value) {
  FunctionRecording& f = current("switch_", value.where);
  const ir::ValueId v = evaluate(f, value);
  const Token token = f.token();
  const std::size_t cases = f.function().case_lists.size();
  f.function().case_lists.emplace_back();
  const ir::OpId op = f.emit_regions(ir::OpCode::switch_, {v}, 0, value.where, cases);
  f.push({FrameKind::cases, {}, op});
  return token;
}

Token begin_case(const std::int64_t* values, std::size_t count, Where where) {
  FunctionRecording& f = in_switch("case_", where);
  f.function().case_lists[f.function().op(f.top().op).imm].emplace_back(values, values + count);
  return begin_case_region(f, false);
}

Token begin_default(Where where) { return begin_case_region(in_switch("default_", where), true); }

void end(Token token) noexcept {
  FunctionRecording* f = FunctionRecording::current_or_null();
  if (f != nullptr && f->number() == token.recording) {
    f->pop_to(token.depth);
  }
}

void break_loop(Where where) {
  FunctionRecording& f = current("break_", where);
  check_in_loop(f, "break_", where);
  f.emit_end(ir::OpCode::break_, {}, where);
}

void continue_loop(Where where) {
  FunctionRecording& f = current("continue_", where);
  check_in_loop(f, "continue_", where);
  f.emit_end(ir::OpCode::continue_, {}, where);
}

void return_nothing(Where where) {
  FunctionRecording& f = current("return_", where);
  check_no_condition(f, where);
  check_result(f, ir::kVoid, where);
  f.emit_end(ir::OpCode::return_, {}, where);
}

void return_result(const Operand& operand) {
  FunctionRecording& f = current("return_", operand.where);
  check_no_condition(f, operand.where);
  const ir::ValueId value = evaluate(f, operand);
  check_result(f, f.function().type(value), operand.where);
  f.emit_end(ir::OpCode::return_, {value}, operand.where);
}

}  // namespace weft::dsl
