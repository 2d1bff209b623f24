#include "dsl/recording.h"

#include <fmt/format.h>

#include <atomic>

#include "codegen/ir/typing.h"
#include "codegen/ir/verify/op_rules.h"

namespace weft::dsl {

namespace {

thread_local FunctionRecording* g_current = nullptr;

std::uint32_t next_number() {
  static std::atomic<std::uint32_t> last{0};  // only has to differ from recording to recording
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

FunctionRecording::FunctionRecording(ModuleRecording& owner, ir::Function& function, const void* callable, Where where)
    : owner_(owner),
      function_(function),
      builder_(owner.module(), function),
      callable_(callable),
      where_(where),
      number_(next_number()),
      outer_(g_current) {
  function_.location = location(where);
  push({FrameKind::body, function.body()});
  g_current = this;
}

FunctionRecording::~FunctionRecording() { g_current = outer_; }

FunctionRecording* FunctionRecording::current_or_null() { return g_current; }

FunctionRecording& FunctionRecording::current(const char* what, Where where) {
  if (g_current == nullptr) {
    fail(where, fmt::format("{} is used outside of a kernel; it can only be recorded while the lambda of a kernel or "
                            "callable runs",
                            what));
  }
  return *g_current;
}

ir::Location FunctionRecording::location(Where where) {
  return {module().string(where.file_name()), where.line(), where.column()};
}

void FunctionRecording::check_open(const char* what, Where where) {
  const Frame& frame = top();
  if (frame.ended_by != nullptr) {
    fail(where, fmt::format("{} is never reached: {} stands before it", what, frame.ended_by),
         {note(module(), frame.ended_at, fmt::format("{} is here", frame.ended_by))});
  }
  if (frame.kind == FrameKind::cases) {
    fail(where, fmt::format("{} stands in a switch but in none of its cases", what));
  }
}

ir::ValueId FunctionRecording::emit(ir::OpCode code, std::span<const ir::ValueId> operands, Where where,
                                    std::uint64_t imm, ir::TypeId given) {
  check_open(ir::info(code).text.data(), where);
  std::vector<ir::TypeId> types;
  for (const ir::ValueId v : operands) {
    types.push_back(function_.type(v));
  }
  if (!ir::result_type(module(), code, types, given, imm)) {
    fail_op(code, operands, where, imm, given);
  }
  builder_.set_location(location(where));
  const ir::ValueId result = builder_.emit(code, operands, imm, given);
  track(result);
  return result;
}

void FunctionRecording::fail_op(ir::OpCode code, std::span<const ir::ValueId> operands, Where where, std::uint64_t imm,
                                ir::TypeId given) {
  const auto name = [&](std::size_t i) {
    const ir::Op* definition = function_.definition(operands[i]);
    return definition == nullptr
               ? std::string(function_.value(operands[i]).kind == ir::ValueKind::constant
                                 ? "a constant"
                                 : module().string(function_.value(operands[i]).name))
               : fmt::format("{} of line {}", ir::info(definition->code).text, definition->location.line);
  };
  const auto problems = ir::op_problems(module(), function_, {code, operands, imm, given}, name);
  fail(where, problems.empty() ? fmt::format("operands do not fit {}", ir::info(code).text) : problems[0].message);
}

ir::OpId FunctionRecording::emit_regions(ir::OpCode code, std::initializer_list<ir::ValueId> operands,
                                         std::size_t region_count, Where where, std::uint64_t imm) {
  check_open(ir::info(code).text.data(), where);
  builder_.set_location(location(where));
  return builder_.emit_regions(code, operands, region_count, imm);
}

void FunctionRecording::emit_end(ir::OpCode code, std::initializer_list<ir::ValueId> operands, Where where) {
  emit(code, operands, where);
  top().ended_by = ir::info(code).text.data();
  top().ended_at = location(where);
}

void FunctionRecording::track(ir::ValueId value) {
  if (!value.valid()) {
    return;
  }
  home_.resize(value.index + 1);
  home_[value.index] = builder_.region();
}

ir::ValueId FunctionRecording::value(ExprId id, Where where) {
  if (id.recording != number_) {
    for (const FunctionRecording* f = outer_; f != nullptr; f = f->outer_) {
      if (f->number_ == id.recording) {
        fail(where, fmt::format("a value of '{}' is used in '{}': hand it over as a parameter", f->function_.name,
                                function_.name));
      }
    }
    fail(where, fmt::format("a value is used in '{}' that belongs to a kernel or callable whose lambda has ended",
                            function_.name));
  }
  const ir::ValueId v(id.index);
  const bool made_by_op = v.index < home_.size() && home_[v.index].valid();
  if (made_by_op && !open_[home_[v.index].index]) {
    fail(where, "a value is used outside of the scope that it was made in",
         {note(module(), function_.definition(v)->location,
               "it is made here; a Var declared outside can carry it out")});
  }
  return v;
}

void FunctionRecording::push(Frame frame) {
  if (frame.region.valid()) {
    open_.resize(std::max<std::size_t>(open_.size(), frame.region.index + 1));
    open_[frame.region.index] = true;
    builder_.set_region(frame.region);
  }
  frames_.push_back(frame);
}

void FunctionRecording::close(const Frame& frame) {
  if (frame.region.valid()) {
    open_[frame.region.index] = false;
  }
  if (frame.kind == FrameKind::cases && !frame.has_default) {
    function_.add_region_to(frame.op);
  }
}

void FunctionRecording::pop_to(std::size_t depth) {
  while (frames_.size() > depth) {
    close(frames_.back());
    frames_.pop_back();
  }
  if (top().region.valid()) {
    builder_.set_region(top().region);
  }
}

}  // namespace weft::dsl
