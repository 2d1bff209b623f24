#include "codegen/passes/shape_values.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "codegen/passes/shape_rules.h"
#include "codegen/passes/slots.h"

namespace weft::passes {

using ir::Op;
using ir::OpCode;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

namespace {

using Operands = std::span<const std::span<const Shape>>;

class OpShapes {
 public:
  OpShapes(const ShapeSetting& setting, const Op& op, Operands operands)
      : setting_(setting), module_(*setting.module), function_(*setting.function), op_(op), operands_(operands) {}

  std::vector<Shape> run();

 private:
  [[nodiscard]] std::uint32_t slots(TypeId type) const { return slot_count(module_.types, type); }
  [[nodiscard]] ValueId operand(std::size_t i) const { return function_.operand(op_, i); }
  [[nodiscard]] TypeId operand_type(std::size_t i) const { return function_.type(operand(i)); }

  // The same bits in every slot of a constant operand.
  [[nodiscard]] std::optional<std::uint64_t> constant(std::size_t i, std::size_t slot) const {
    const ir::Constant* c = module_.constant_of(function_, operand(i));
    return c != nullptr && slot < c->leaves.size() ? std::optional(c->leaves[slot]) : std::nullopt;
  }
  [[nodiscard]] std::uint32_t scalar_bits(TypeId type) const {
    return ir::scalar_bits(module_.types[module_.types.scalar_of(type)].kind);
  }
  [[nodiscard]] ir::ScalarCategory category(TypeId type) const {
    return ir::scalar_category(module_.types[module_.types.scalar_of(type)].kind);
  }
  [[nodiscard]] bool is_integer() const {
    const TypeId scalar = module_.types.scalar_of(op_.type);
    return scalar.valid() && category(scalar) != ir::ScalarCategory::floating &&
           category(scalar) != ir::ScalarCategory::boolean;
  }

  [[nodiscard]] Shape pure_slot(std::size_t slot) const;
  [[nodiscard]] Shape integer_slot(std::size_t slot) const;
  [[nodiscard]] Shape divided(std::size_t slot, bool remainder) const;
  [[nodiscard]] Shape shifted(std::size_t slot) const;
  [[nodiscard]] Shape masked(std::size_t slot) const;
  [[nodiscard]] Shape cast_slot(std::size_t slot) const;
  [[nodiscard]] Shape address() const;
  [[nodiscard]] Shape group_shape() const;
  [[nodiscard]] Shape loaded() const;

  [[nodiscard]] std::vector<Shape> componentwise() const;
  [[nodiscard]] std::vector<Shape> parts() const;
  [[nodiscard]] std::vector<Shape> indexed() const;
  [[nodiscard]] Shape all_operands() const;
  [[nodiscard]] std::vector<Shape> same(Shape s) const { return std::vector<Shape>(slots(op_.type), s); }

  const ShapeSetting& setting_;
  ir::Module& module_;
  const ir::Function& function_;
  const Op& op_;
  Operands operands_;
};

Shape OpShapes::pure_slot(std::size_t slot) const {
  std::array<Shape, 4> shapes;
  const std::size_t count = std::min<std::size_t>(operands_.size(), shapes.size());
  for (std::size_t i = 0; i < count; ++i) {
    shapes[i] = operands_[i][std::min(slot, operands_[i].size() - 1)];
  }
  return pure_shape(std::span(shapes.data(), count));
}

// a / b and a % b of unsigned numbers by a constant power of two.
Shape OpShapes::divided(std::size_t slot, bool remainder) const {
  const auto divisor = constant(1, slot);
  if (category(op_.type) == ir::ScalarCategory::unsigned_integer && divisor && std::has_single_bit(*divisor)) {
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(*divisor));
    return remainder ? low_bits_shape(operands_[0][slot], bits, setting_.group.width)
                     : high_bits_shape(operands_[0][slot], bits, setting_.group.width);
  }
  return pure_slot(slot);
}

Shape OpShapes::shifted(std::size_t slot) const {
  const auto amount = constant(1, slot);
  if (!amount) {
    return pure_slot(slot);
  }
  const auto bits = static_cast<std::uint32_t>(*amount % scalar_bits(op_.type));
  return op_.code == OpCode::shl ? mul_shape(operands_[0][slot], std::uint64_t{1} << bits)
                                 : high_bits_shape(operands_[0][slot], bits, setting_.group.width);
}

// a & (2^n - 1), on either side.
Shape OpShapes::masked(std::size_t slot) const {
  for (const std::size_t side : {0U, 1U}) {
    const auto mask = constant(side, slot);
    if (mask && std::has_single_bit(*mask + 1)) {
      return low_bits_shape(operands_[1 - side][slot], static_cast<std::uint32_t>(std::countr_one(*mask)),
                            setting_.group.width);
    }
  }
  return pure_slot(slot);
}

Shape OpShapes::integer_slot(std::size_t slot) const {
  switch (op_.code) {
    case OpCode::add: return add_shape(operands_[0][slot], operands_[1][slot]);
    case OpCode::sub: return sub_shape(operands_[0][slot], operands_[1][slot]);
    case OpCode::neg: return mul_shape(operands_[0][slot], ~std::uint64_t{0});
    case OpCode::mul:
      for (const std::size_t side : {0U, 1U}) {
        if (const auto factor = constant(side, slot)) {
          return mul_shape(operands_[1 - side][slot], *factor);
        }
      }
      if (operands_[0][slot].is_uniform() && operands_[1][slot].is_uniform()) {
        return affine_shape(
            0, static_cast<std::uint8_t>(std::min(64, operands_[0][slot].base_align + operands_[1][slot].base_align)));
      }
      return pure_slot(slot);
    case OpCode::div: return divided(slot, false);
    case OpCode::rem: return divided(slot, true);
    case OpCode::shl:
    case OpCode::shr: return shifted(slot);
    case OpCode::and_: return masked(slot);
    default: return pure_slot(slot);
  }
}

// Between integers: narrowing keeps the shape, widening where no lane wraps; the bits of equal widths are the same.
Shape OpShapes::cast_slot(std::size_t slot) const {
  const Shape a = operands_[0][slot];
  const auto from = category(operand_type(0));
  if (!is_integer() || (from != ir::ScalarCategory::signed_integer && from != ir::ScalarCategory::unsigned_integer)) {
    return pure_slot(slot);
  }
  const std::uint32_t from_bits = scalar_bits(operand_type(0));
  const std::uint32_t magnitude_bits = from_bits - (from == ir::ScalarCategory::signed_integer ? 1 : 0);
  const bool keeps = scalar_bits(op_.type) <= from_bits || never_wraps(a, magnitude_bits, setting_.group.width);
  return keeps ? a : pure_slot(slot);
}

std::vector<Shape> OpShapes::componentwise() const {
  std::vector<Shape> result(slots(op_.type));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool conversion = op_.code == OpCode::cast || op_.code == OpCode::bitcast;
    result[i] = conversion ? cast_slot(i) : is_integer() ? integer_slot(i) : pure_slot(i);
  }
  return result;
}

Shape OpShapes::all_operands() const {
  ShapeKind kind = ShapeKind::uniform;
  for (const auto& operand : operands_) {
    const Shape s = pure_shape(operand);
    kind = s.kind == ShapeKind::unknown || kind == ShapeKind::unknown ? ShapeKind::unknown : std::max(kind, s.kind);
  }
  return {kind, 0, 0};
}

// make, splat, extract, insert, swizzle: slots move.
std::vector<Shape> OpShapes::parts() const {
  std::vector<Shape> result(slots(op_.type));
  const auto copy = [&](std::size_t to, std::span<const Shape> from, bool joins) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      result[to + i] = joins ? join(result[to + i], from[i]) : from[i];
    }
  };
  switch (op_.code) {
    case OpCode::make:
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        copy(slot_of_part(module_.types, op_.type, i), operands_[i], true);
      }
      break;
    case OpCode::splat: return same(operands_[0][0]);
    case OpCode::extract: {
      const std::uint32_t first = slot_of_part(module_.types, operand_type(0), op_.imm);
      copy(0, operands_[0].subspan(first, result.size()), false);
      break;
    }
    case OpCode::insert: {
      const bool array = module_.types[op_.type].kind == TypeKind::array;
      copy(0, operands_[0], false);
      copy(slot_of_part(module_.types, op_.type, op_.imm), operands_[1], array);
      break;
    }
    default: {  // swizzle
      const ir::Components components = ir::Components::unpack(op_.imm);
      for (std::size_t i = 0; i < components.count; ++i) {
        result[i] = operands_[0][components.index[i]];
      }
    }
  }
  return result;
}

// extract_at, insert_at: any part; a uniform index of uniform parts is uniform.
std::vector<Shape> OpShapes::indexed() const { return same(pure_shape(std::array{all_operands()})); }

// member, element, buffer_element, byte_element: the byte offset.
Shape OpShapes::address() const {
  const ir::TypeTable& types = module_.types;
  if (op_.code == OpCode::member) {
    const TypeId aggregate = types[operand_type(0)].element;
    return add_shape(operands_[0][0], uniform_shape(types.part_offset_bytes(aggregate, op_.imm)));
  }
  const Shape index = operands_[1][0];
  if (op_.code == OpCode::byte_element) {
    return index;
  }
  if (op_.code == OpCode::buffer_element) {
    return mul_shape(index, types[operand_type(0)].stride_bytes);
  }
  const TypeId aggregate = types[operand_type(0)].element;
  return add_shape(operands_[0][0], mul_shape(index, types.part_offset_bytes(aggregate, 1)));
}

Shape OpShapes::group_shape() const {
  switch (op_.code) {
    case OpCode::thread_id: return thread_id_shape(setting_, static_cast<std::uint32_t>(op_.imm));
    case OpCode::dispatch_id: {
      const std::uint32_t extent = function_.attributes.block_size[op_.imm];
      return add_shape(uniform_shape(extent), thread_id_shape(setting_, static_cast<std::uint32_t>(op_.imm)));
    }
    case OpCode::block_size: return uniform_shape(function_.attributes.block_size[op_.imm]);
    default: return uniform_shape();
  }
}

// A load from memory: one address, one value. Lanes of a block get to it at different times.
Shape OpShapes::loaded() const {
  const Shape place = operands_[0][0];
  if (place.kind == ShapeKind::unknown) {
    return {};
  }
  return place.is_uniform() && (!setting_.group.block || setting_.buffers_are_constant) ? uniform_shape() : kVarying;
}

std::vector<Shape> OpShapes::run() {
  const ir::OpInfo& info = ir::info(op_.code);
  switch (info.family) {
    case ir::OpFamily::arith:
    case ir::OpFamily::bits:
    case ir::OpFamily::convert:
    case ir::OpFamily::compare:
    case ir::OpFamily::math: return componentwise();
    case ir::OpFamily::vector: return same(all_operands());
    case ir::OpFamily::aggregate:
      return op_.code == OpCode::extract_at || op_.code == OpCode::insert_at ? indexed() : parts();
    case ir::OpFamily::memory:
      switch (op_.code) {
        case OpCode::member:
        case OpCode::element:
        case OpCode::buffer_element:
        case OpCode::byte_element: return {address()};
        case OpCode::load: return same(loaded());
        default: return same({ShapeKind::uniform, 64, 0});  // places at offset 0, sizes
      }
    case ir::OpFamily::atomic: return same(kVarying);
    case ir::OpFamily::control:
      return same(op_.code == OpCode::clock && !setting_.group.block ? uniform_shape() : kVarying);
    case ir::OpFamily::group: return {group_shape()};
    case ir::OpFamily::warp: break;
  }
  switch (op_.code) {
    case OpCode::warp_size: return {uniform_shape(function_.attributes.warp_size)};
    case OpCode::warp_lane: return {setting_.group.block ? kVarying : affine_shape(1, 64)};
    case OpCode::warp_prefix_sum:
    case OpCode::warp_prefix_product:
    case OpCode::warp_prefix_count:
    case OpCode::warp_is_first: return same(kVarying);
    case OpCode::warp_read:
      return same(setting_.group.block || !operands_[1][0].is_uniform() ? kVarying : uniform_shape());
    default: return same(setting_.group.block ? kVarying : uniform_shape());
  }
}

}  // namespace

std::uint32_t row_width(const ir::Function& kernel, std::uint32_t pack_width) {
  const std::uint32_t extent = kernel.attributes.block_size[0];
  return pack_width % extent == 0 ? extent : pack_width;
}

Shape thread_id_shape(const ShapeSetting& setting, std::uint32_t dimension) {
  const auto& size = setting.function->attributes.block_size;
  if (size[dimension] == 1) {
    return uniform_shape(0);
  }
  if (setting.group.block) {
    return kVarying;
  }
  std::uint64_t before = 1;  // lanes for each step of this dimension
  for (std::uint32_t d = 0; d < dimension; ++d) {
    before *= size[d];
  }
  const std::uint32_t width = setting.group.width;
  const std::uint64_t lanes = before * size[dimension];
  if (before % width == 0) {
    return uniform_shape();
  }
  if (before == 1 && lanes % width == 0) {
    return affine_shape(1, static_cast<std::uint8_t>(std::countr_zero(width)));
  }
  if (setting.has_rows()) {
    return rows_shape(before == 1 ? 1 : 0);
  }
  return kVarying;
}

std::vector<Shape> result_shapes(const ShapeSetting& setting, const Op& op, Operands operands) {
  if (!setting.group.block && setting.group.width == 1) {
    return std::vector<Shape>(slot_count(setting.module->types, op.type), uniform_shape());
  }
  return OpShapes(setting, op, operands).run();
}

}  // namespace weft::passes
