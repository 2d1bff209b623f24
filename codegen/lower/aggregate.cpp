// The family aggregate: parts of values. A value is the list of its scalar leaves, so nearly all of it is moving leaves
// about; no code comes of that.
#include <algorithm>

#include "codegen/lower/emitter.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeId;
using ir::ValueId;
using llvm::Value;

class Aggregate {
 public:
  Aggregate(Emitter& e, const ir::Op& op) : e_(e), op_(op) {}

  void lower();

 private:
  // Leaves of one part, and where they are among those of the aggregate.
  struct Range {
    std::size_t first;
    std::size_t count;
  };
  [[nodiscard]] Range part(TypeId aggregate, std::uint64_t index) {
    return {e_.leaf_of_part(aggregate, index), e_.in.types[e_.in.types.part(aggregate, index)].leaf_count};
  }
  [[nodiscard]] std::vector<Leaf> operand(std::size_t i) { return e_.leaves(e_.f.operand(op_, i)); }
  [[nodiscard]] TypeId operand_type(std::size_t i) const { return e_.f.type(e_.f.operand(op_, i)); }

  [[nodiscard]] std::vector<Leaf> make();
  [[nodiscard]] std::vector<Leaf> extract();
  [[nodiscard]] std::vector<Leaf> insert();
  [[nodiscard]] std::vector<Leaf> swizzle();
  void extract_at();
  void insert_at();

  [[nodiscard]] bool result_is_vector(std::size_t leaf) const;
  // The leaf as the result's shape wants it.
  [[nodiscard]] Value* shaped(const Leaf& leaf, std::size_t result_leaf);
  void define(const std::vector<Leaf>& leaves);
  [[nodiscard]] Value* chooses(const Leaf& index, std::uint64_t part, bool as_vector);

  Emitter& e_;
  const ir::Op& op_;
};

bool Aggregate::result_is_vector(std::size_t leaf) const {
  const ShapeKind kind = e_.shapes.of(op_.result)[e_.leaf_slots(op_.type)[leaf]].kind;
  return kind == ShapeKind::rows || kind == ShapeKind::varying;
}

Value* Aggregate::shaped(const Leaf& leaf, std::size_t result_leaf) {
  if (result_is_vector(result_leaf)) {
    return e_.vector(leaf);
  }
  WEFT_CHECK(!leaf.value->getType()->isVectorTy(), "a vector for a value that every lane shares");
  return leaf.value;
}

void Aggregate::define(const std::vector<Leaf>& leaves) {
  std::vector<Value*> result;
  result.reserve(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    result.push_back(shaped(leaves[i], i));
  }
  e_.define(op_, std::move(result));
}

std::vector<Leaf> Aggregate::make() {
  std::vector<Leaf> result;
  for (const ValueId v : e_.f.operands(op_)) {
    const auto leaves = e_.leaves(v);
    result.insert(result.end(), leaves.begin(), leaves.end());
  }
  return result;
}

std::vector<Leaf> Aggregate::extract() {
  const auto leaves = operand(0);
  const Range range = part(operand_type(0), op_.imm);
  const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(range.first);
  return {first, first + static_cast<std::ptrdiff_t>(range.count)};
}

std::vector<Leaf> Aggregate::insert() {
  auto leaves = operand(0);
  const auto parts = operand(1);
  std::ranges::copy(parts, leaves.begin() + static_cast<std::ptrdiff_t>(part(op_.type, op_.imm).first));
  return leaves;
}

std::vector<Leaf> Aggregate::swizzle() {
  const auto leaves = operand(0);
  const ir::Components components = ir::Components::unpack(op_.imm);
  std::vector<Leaf> result;
  for (std::size_t i = 0; i < components.count; ++i) {
    result.push_back(leaves[components.index[i]]);
  }
  return result;
}

// Whether an index, of any integer type, names this part; null where its type cannot.
Value* Aggregate::chooses(const Leaf& index, std::uint64_t part, bool as_vector) {
  Value* value = as_vector && !index.shape.is_uniform() ? e_.vector(index) : index.value;
  const auto* type = llvm::cast<llvm::IntegerType>(value->getType()->getScalarType());
  const ir::TypeKind kind = e_.scalar_kind(operand_type(1));
  const bool has_sign = ir::scalar_category(kind) == ir::ScalarCategory::signed_integer;
  const std::uint32_t usable_bits = type->getBitWidth() - (has_sign ? 1 : 0);
  if (usable_bits < 64 && part >> usable_bits != 0) {
    return nullptr;
  }
  return e_.b.CreateICmpEQ(value, llvm::ConstantInt::get(value->getType(), part));
}

// result = index == 0 ? part 0 : index == 1 ? part 1 ... : 0, leaf by leaf.
void Aggregate::extract_at() {
  e_.note(RemarkKind::chosen_part, e_.in.types.part_count(operand_type(0)));
  const TypeId aggregate = operand_type(0);
  const auto leaves = operand(0);
  const Leaf index = operand(1)[0];
  const std::size_t leaf_count = e_.leaf_kinds(op_.type).size();
  std::vector<Value*> result(leaf_count);
  for (std::uint64_t i = 0; i < e_.in.types.part_count(aggregate); ++i) {
    const Range range = part(aggregate, i);
    for (std::size_t j = 0; j < leaf_count; ++j) {
      Value* chosen = shaped(leaves[range.first + j], j);
      Value* before = result[j] != nullptr ? result[j] : e_.zero(chosen->getType());
      Value* here = chooses(index, i, result_is_vector(j));
      result[j] = here != nullptr ? e_.b.CreateSelect(here, chosen, before) : before;
    }
  }
  e_.define(op_, std::move(result));
}

void Aggregate::insert_at() {
  e_.note(RemarkKind::chosen_part, e_.in.types.part_count(op_.type));
  const auto old = operand(0);
  const Leaf index = operand(1)[0];
  const auto replacement = operand(2);
  std::vector<Value*> result;
  for (std::uint64_t i = 0; i < e_.in.types.part_count(op_.type); ++i) {
    const Range range = part(op_.type, i);
    for (std::size_t j = 0; j < range.count; ++j) {
      const std::size_t leaf = range.first + j;
      Value* here = chooses(index, i, result_is_vector(leaf));
      Value* kept = shaped(old[leaf], leaf);
      result.push_back(here != nullptr ? e_.b.CreateSelect(here, shaped(replacement[j], leaf), kept) : kept);
    }
  }
  e_.define(op_, std::move(result));
}

void Aggregate::lower() {
  switch (op_.code) {
    case OpCode::make: return define(make());
    case OpCode::splat: return define(std::vector<Leaf>(e_.leaf_kinds(op_.type).size(), operand(0)[0]));
    case OpCode::extract: return define(extract());
    case OpCode::insert: return define(insert());
    case OpCode::swizzle: return define(swizzle());
    case OpCode::extract_at: return extract_at();
    case OpCode::insert_at: return insert_at();
    default: WEFT_UNREACHABLE("{} is no op on parts of values", ir::info(op_.code).text);
  }
}

}  // namespace

void lower_aggregate(Emitter& e, ir::OpId id) { Aggregate(e, e.f.op(id)).lower(); }

}  // namespace weft::lower
