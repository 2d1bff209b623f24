// The state of lowering one function at one pack width, and what every op family needs of it: values by shape, masks,
// types.
//
// A scalar leaf of an IR value becomes one LLVM value, by its shape (passes/shape.h): uniform and affine ones a scalar,
// the value of lane 0; rows and varying ones a <W x T>. vector() makes the latter of the former where an op needs it.
// At W = 1 every value is uniform and there are no masks, so the same code gives plain scalar code.
//
// Invariants that all families keep:
// - No lane of any vector is undef or poison, active or not: no nsw, nuw, nnan, ninf, no poison pass-through; loads of
// what
//   may be unwritten and masked loads are frozen.
// - Inactive lanes never trap and never touch memory.
// - mask() is the lanes that are active here; null means all lanes of the pack. Code that touches memory is never
// entered
//   with an empty mask (control.cpp guards it).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/lower/kernel_plan.h"
#include "codegen/lower/range.h"
#include "codegen/passes/shape.h"

namespace weft::lower {

using passes::Shape;
using passes::ShapeKind;

// One scalar leaf of a value.
struct Leaf {
  llvm::Value* value = nullptr;
  Shape shape;
};

enum class Space : std::uint8_t { local, shared, global, buffer };

// The part of an address that differs from lane to lane without being affine: value * scale bytes.
struct VectorTerm {
  llvm::Value* value = nullptr;  // <W x i32> or <W x i64>, signed
  std::uint64_t scale = 1;
  Shape shape;  // of value * scale; rows or varying
  // In a row whose first value is at least this, the index wraps past 2^32 (see address.h); never if there is none.
  std::optional<std::int64_t> wrap_start = std::nullopt;
  bool from_ids = false;  // computed from ids of lanes and from what is uniform alone
};

// A place that a reference value names.
struct Place {
  Space space = Space::local;
  ir::TypeId type;               // what is there
  llvm::Value* valid = nullptr;  // whether it is in range: i1 or <W x i1>; null for surely
  // A scalar test that is rarely false and proves that all lanes are in range; null where there is none.
  llvm::Value* all_valid = nullptr;

  // In memory, lane l is at base + stride * l + terms: `base` has all that is uniform, and lane 0 of what is affine.
  llvm::Value* base = nullptr;
  llvm::Value* whole_base = nullptr;  // the same where all_valid holds, and simpler; null if there is none
  std::int64_t stride = 0;
  llvm::SmallVector<VectorTerm, 1> terms;
  std::uint64_t leaf_stride = 0;  // bytes between the components of a column of a row-major matrix; else 0
  bool is_small = false;          // the memory around it is smaller than 2 GiB, so that offsets fit 32 bits

  // In a local: slots from `first_slot` on, at element `index` of the arrays around them.
  ir::ValueId root;
  std::uint32_t first_slot = 0;
  Leaf index;  // i64 if uniform, <W x i32> otherwise; a null value is element 0
  // A component of a vector, or column of a matrix, chosen at run time: part i has the `part_slots` slots from
  // first_slot + i * part_slots on.
  Leaf part_index;  // i32 if uniform, <W x i32> otherwise; a null value is no choice
  std::uint32_t part_count = 0;
  std::uint32_t part_slots = 0;
};

// The stack variables of a local: one for each slot, an array of `elements` where arrays are around it.
struct LocalSlot {
  llvm::Value* address = nullptr;  // alloca, or a place in the arena
  llvm::Type* type = nullptr;      // of one element: T or <W x T>
  std::uint64_t elements = 1;
  Shape shape;
};

struct LoopScope {
  ir::OpId op;
  llvm::AllocaInst* active = nullptr;     // lanes still in the loop; null where all leave together
  llvm::AllocaInst* continued = nullptr;  // lanes that wait for the update; null where none do
  llvm::BasicBlock* update = nullptr;
  llvm::BasicBlock* exit = nullptr;
};

struct Coroutine;  // coroutine.h

// Where somebody asks for remarks, an instruction that makes a leaf of value n is named "weft.value.n.", so that it is
// known again in a coroutine's frame.
inline constexpr std::string_view kValueName = "weft.value.";

class Emitter {
 public:
  Emitter(llvm::Module& out, ir::Module& in, const ir::Function& function, const passes::Shapes& shapes,
          KernelPlan& plan);

  // --- what is being lowered
  llvm::Module& out;
  ir::Module& in;
  const ir::Function& f;
  const passes::Shapes& shapes;
  KernelPlan& plan;
  const std::uint32_t width;
  llvm::IRBuilder<> b;
  llvm::Function* function = nullptr;

  // --- types
  [[nodiscard]] llvm::Type* scalar_type(ir::TypeKind kind);
  [[nodiscard]] llvm::Type* memory_type(ir::TypeKind kind);  // bool is a byte
  [[nodiscard]] llvm::Type* pack_type(llvm::Type* scalar) const;
  [[nodiscard]] llvm::Type* leaf_type(const Leaf& leaf) const { return leaf.value->getType(); }
  [[nodiscard]] llvm::Type* mask_type() { return pack_type(b.getInt1Ty()); }
  // The scalar kind of each leaf of a type, in order; computed once.
  [[nodiscard]] const std::vector<ir::TypeKind>& leaf_kinds(ir::TypeId type);
  // The slot (passes/slots.h) of each leaf.
  [[nodiscard]] const std::vector<std::uint32_t>& leaf_slots(ir::TypeId type);
  [[nodiscard]] std::uint32_t leaf_of_part(ir::TypeId aggregate, std::uint64_t index);
  [[nodiscard]] ir::TypeKind scalar_kind(ir::TypeId type) const { return in.types[in.types.scalar_of(type)].kind; }

  // --- values
  [[nodiscard]] std::vector<Leaf> leaves(ir::ValueId value);
  [[nodiscard]] Leaf leaf(ir::ValueId value, std::size_t index = 0);
  [[nodiscard]] Place& place(ir::ValueId reference) { return places_.at(reference); }
  // Whether a value is a reference into a local, by its definition.
  [[nodiscard]] bool is_local(ir::ValueId value) const;
  // Whether an op takes this value.
  [[nodiscard]] bool result_used(ir::ValueId value);
  void define(ir::ValueId value, std::vector<llvm::Value*> leaves);
  void define(const ir::Op& op, std::vector<llvm::Value*> leaves) { define(op.result, std::move(leaves)); }
  void define_place(const ir::Op& op, Place place) { places_[op.result] = std::move(place); }
  // Whether a value of a shape is one LLVM scalar.
  [[nodiscard]] bool is_scalar(const Shape& shape) const {
    return width == 1 || shape.kind == ShapeKind::uniform || shape.kind == ShapeKind::affine;
  }
  // As <W x T> (T at W = 1), whatever the shape.
  [[nodiscard]] llvm::Value* vector(const Leaf& leaf);
  [[nodiscard]] llvm::Value* splat(llvm::Value* scalar);
  // 0, 1, ... W - 1.
  [[nodiscard]] llvm::Value* iota(llvm::Type* integer);
  [[nodiscard]] llvm::Constant* zero(llvm::Type* type) { return llvm::Constant::getNullValue(type); }

  // Lowers an op leaf by leaf: `make` is called with the operands' leaves, all scalars where the result is uniform or
  // affine (a function of lane 0 gives lane 0 of the result), all vectors otherwise.
  using Make = std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>;
  void componentwise(const ir::Op& op, const Make& make);

  // --- masks
  [[nodiscard]] llvm::Value* mask() const { return mask_; }
  void set_mask(llvm::Value* mask) { mask_ = mask; }
  [[nodiscard]] llvm::Value* mask_or_all();                            // never null
  [[nodiscard]] llvm::Value* both(llvm::Value* a, llvm::Value* c);     // a and c; null is all
  [[nodiscard]] llvm::Value* without(llvm::Value* a, llvm::Value* c);  // a and not c
  [[nodiscard]] llvm::Value* any(llvm::Value* mask);                   // i1; of null true
  [[nodiscard]] llvm::Value* bits_of(llvm::Value* mask);               // iW
  // Runs `body` once for each active lane, in ascending order, with the lane's number (i32).
  void for_each_lane(llvm::Value* mask, const std::function<void(llvm::Value* lane)>& body);
  [[nodiscard]] llvm::Value* lane_of(const Leaf& leaf, llvm::Value* lane);

  // --- blocks and variables
  [[nodiscard]] llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(out.getContext(), name, function);
  }
  void branch_to(llvm::BasicBlock* target);  // branch and go on there
  [[nodiscard]] llvm::AllocaInst* variable(llvm::Type* type, const char* name);
  // A variable mask for a loop inside those that are open. Loops that follow one another share it: making values of
  // variables takes time by the number of variables times that of blocks.
  [[nodiscard]] llvm::AllocaInst* loop_mask(const char* name);
  // Ends the current block with what was just emitted; what follows is unreachable.
  void start_dead_block();
  // if (condition) { then(); }
  void emit_if(llvm::Value* condition, const std::function<void()>& then);

  // --- scopes
  std::vector<LoopScope> loops;
  llvm::AllocaInst* returned = nullptr;  // lanes that have returned; null where all return together
  llvm::BasicBlock* exit = nullptr;      // where a return goes
  Coroutine* coroutine = nullptr;        // null where the kernel does not suspend
  std::vector<LocalSlot>& local_slots(ir::ValueId root) { return locals_[root]; }
  std::unordered_map<ir::ValueId, std::vector<LocalSlot>>& locals() { return locals_; }

  Ranges ranges;  // what is known of integers here

  // --- lowering
  // Goes on in a new function, at its entry, where nothing is defined yet.
  void begin_function(llvm::Function* next, std::string_view part);
  void lower_region(ir::RegionId region);
  void lower_op(ir::OpId id);

  // --- remarks, of the op that is being lowered
  void note(RemarkKind kind, std::uint64_t number = 0, ir::ValueId value = {}) { note_at(op_, kind, number, value); }
  void note_at(ir::OpId op, RemarkKind kind, std::uint64_t number = 0, ir::ValueId value = {}) {
    if (plan.remarks != nullptr) {
      plan.remarks->add({kind, op, number, value, lowering_, otherwise_});
    }
  }
  // Until the scope ends, what is lowered is not the main way.
  class Otherwise {
   public:
    explicit Otherwise(Emitter& e) : e_(e), before_(std::exchange(e.otherwise_, true)) {}
    ~Otherwise() { e_.otherwise_ = before_; }
    Otherwise(const Otherwise&) = delete;
    Otherwise& operator=(const Otherwise&) = delete;

   private:
    Emitter& e_;
    bool before_;
  };

 private:
  void cut_long_block();
  void lower_by_family(ir::OpId id);

  ir::OpId op_;                 // being lowered
  std::uint32_t lowering_ = 0;  // of that op
  std::uint32_t lowerings_ = 0;
  bool otherwise_ = false;

  llvm::Value* mask_ = nullptr;
  std::vector<std::vector<llvm::Value*>> values_;
  std::vector<ir::ValueId> defined_;  // in this function
  std::unordered_map<ir::ValueId, Place> places_;
  std::unordered_map<ir::ValueId, std::vector<LocalSlot>> locals_;
  std::unordered_map<ir::TypeId, std::vector<ir::TypeKind>> kinds_;
  std::unordered_map<ir::TypeId, std::vector<std::uint32_t>> slots_;
  std::map<std::pair<std::size_t, std::string_view>, llvm::AllocaInst*> loop_masks_;  // by depth and name
  llvm::BasicBlock* growing_ = nullptr;  // the block that ops went to last, and how many of them
  std::uint32_t growing_ops_ = 0;
  std::vector<bool> used_;  // by ValueId; empty until result_used asks
};

// The families: each lowers its ops (ops.def).
void lower_arith(Emitter& e, ir::OpId op);
void lower_bits(Emitter& e, ir::OpId op);
void lower_compare(Emitter& e, ir::OpId op);
void lower_convert(Emitter& e, ir::OpId op);
void lower_math(Emitter& e, ir::OpId op);
void lower_aggregate(Emitter& e, ir::OpId op);
void lower_memory(Emitter& e, ir::OpId op);
void lower_atomic(Emitter& e, ir::OpId op);
void lower_control(Emitter& e, ir::OpId op);
void lower_group(Emitter& e, ir::OpId op);
void lower_warp(Emitter& e, ir::OpId op);

// A kernel's parameter: one passed by value is read from the argument block, as memory is.
void define_parameter(Emitter& e, ir::ValueId parameter);

}  // namespace weft::lower
