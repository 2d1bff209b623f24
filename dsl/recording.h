// What is being recorded on a thread: a module, and in it a stack of functions, the kernel first, then callables
// recorded because the function below calls them. A kernel made while another is recorded has a module of its own and
// hides the other until it is done.
//
// A function's recording knows its open constructs (Frame). A value is visible while the region that made it is open;
// the condition region of a loop stays open as long as the loop.
#pragma once

#include <weft/dsl/recorder.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "codegen/ir/builder.h"
#include "dsl/error.h"

namespace weft::dsl {

// The types, specialisation constants and callables that a module has got so far.
class ModuleRecording {
 public:
  ir::Module& module() { return *module_; }
  std::shared_ptr<const ir::Module> finish() { return std::move(module_); }

  ir::TypeId type(const TypeInfo& info);
  ir::GlobalId global(const char* name, ir::ConstantId data);
  // Throws if the id has another type or default already.
  ir::SpecId spec(const SpecInfo& info, Where where);
  // The name itself, or with a number behind it if a function has it already.
  std::string unique_function_name(const char* name) const;

  std::unordered_map<const void*, ir::FunctionId> callables;  // by identity

 private:
  ir::TypeId make_type(const TypeInfo& info);
  ir::TypeId make_structure(const TypeInfo& info);

  std::shared_ptr<ir::Module> module_ = std::make_shared<ir::Module>();
  std::unordered_map<const TypeInfo*, ir::TypeId> types_;
};

enum class FrameKind : std::uint8_t { body, branch, condition, loop, update, cases, one_case };

// An open construct: the region that is being filled, and how it came to its end if it did.
struct Frame {
  FrameKind kind;
  ir::RegionId region;             // none for `cases`, where only cases may stand
  ir::OpId op{};                   // the if, loop or switch
  bool has_default = false;        // of `cases`
  const char* ended_by = nullptr;  // the op that ends the region
  ir::Location ended_at{};
};

class FunctionRecording {
 public:
  // Makes itself the current one of the thread until it is destroyed.
  FunctionRecording(ModuleRecording& module, ir::Function& function, const void* callable, Where where);
  ~FunctionRecording();
  FunctionRecording(const FunctionRecording&) = delete;
  FunctionRecording& operator=(const FunctionRecording&) = delete;

  // The one that is open on this thread; throws if there is none, naming what needs one.
  static FunctionRecording& current(const char* what, Where where);
  static FunctionRecording* current_or_null();

  ModuleRecording& owner() { return owner_; }
  ir::Module& module() { return owner_.module(); }
  ir::Function& function() { return function_; }
  [[nodiscard]] const ir::Function& function() const { return function_; }
  ir::Builder& builder() { return builder_; }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] const void* callable() const { return callable_; }
  [[nodiscard]] const FunctionRecording* outer() const { return outer_; }
  [[nodiscard]] Where where() const { return where_; }

  // --- ops. Each checks that something may stand here and says what is wrong with the operands.
  ir::ValueId emit(ir::OpCode code, std::span<const ir::ValueId> operands, Where where, std::uint64_t imm = 0,
                   ir::TypeId given = {});
  ir::ValueId emit(ir::OpCode code, std::initializer_list<ir::ValueId> operands, Where where, std::uint64_t imm = 0,
                   ir::TypeId given = {}) {
    return emit(code, std::span(operands.begin(), operands.size()), where, imm, given);
  }
  ir::OpId emit_regions(ir::OpCode code, std::initializer_list<ir::ValueId> operands, std::size_t region_count,
                        Where where, std::uint64_t imm = 0);
  // Ends the innermost region.
  void emit_end(ir::OpCode code, std::initializer_list<ir::ValueId> operands, Where where);

  // --- values
  [[nodiscard]] ExprId id(ir::ValueId value) const { return {value.index, number_}; }
  // The value behind an id; throws if it is of another function or not visible here.
  ir::ValueId value(ExprId id, Where where);

  // --- open constructs
  [[nodiscard]] Token token() const { return {number_, static_cast<std::uint32_t>(frames_.size())}; }
  Frame& top() { return frames_.back(); }
  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }
  void push(Frame frame);
  void pop_to(std::size_t depth);

  ir::Location location(Where where);

 private:
  void check_open(const char* what, Where where);
  void track(ir::ValueId value);
  [[noreturn]] void fail_op(ir::OpCode code, std::span<const ir::ValueId> operands, Where where, std::uint64_t imm,
                            ir::TypeId given);
  void close(const Frame& frame);

  ModuleRecording& owner_;
  ir::Function& function_;
  ir::Builder builder_;
  const void* callable_;
  Where where_;
  std::uint32_t number_;
  FunctionRecording* outer_;
  std::vector<Frame> frames_;
  std::vector<ir::RegionId> home_;  // of each value that an op made
  std::vector<bool> open_;          // regions
};

}  // namespace weft::dsl
