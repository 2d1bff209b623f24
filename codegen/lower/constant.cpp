#include "codegen/lower/constant.h"

#include <cstring>

namespace weft::lower {

llvm::Constant* scalar_constant(Emitter& e, ir::TypeKind kind, std::uint64_t bits) {
  llvm::Type* type = e.scalar_type(kind);
  llvm::Constant* integer = e.b.getIntN(kind == ir::TypeKind::boolean ? 1 : ir::scalar_bits(kind), bits);
  return type->isIntegerTy() ? integer : llvm::ConstantExpr::getBitCast(integer, type);
}

std::vector<llvm::Value*> constant_leaves(Emitter& e, const ir::Constant& constant) {
  const auto& kinds = e.leaf_kinds(constant.type);
  std::vector<llvm::Value*> leaves;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    leaves.push_back(scalar_constant(e, kinds[i], constant.leaves[i]));
  }
  return leaves;
}

namespace {

// Writes the leaves of `type` at `offset`; `leaf` runs along.
void write(Emitter& e, ir::TypeId type, std::uint64_t offset, const std::vector<std::uint64_t>& leaves,
           std::size_t& leaf, std::vector<std::uint8_t>& bytes) {
  const ir::Type& t = e.in.types[type];
  if (ir::is_scalar(t.kind)) {
    std::memcpy(bytes.data() + offset, &leaves[leaf++], t.size_bytes);
    return;
  }
  if (t.kind == ir::TypeKind::matrix && t.row_major) {
    const std::uint64_t scalar_bytes = e.in.types[t.element].size_bytes;
    for (std::uint64_t i = 0; i < std::uint64_t{t.columns} * t.rows; ++i) {
      const std::uint64_t at = (i % t.rows) * t.stride_bytes + (i / t.rows) * scalar_bytes;
      std::memcpy(bytes.data() + offset + at, &leaves[leaf++], scalar_bytes);
    }
    return;
  }
  for (std::uint64_t i = 0; i < e.in.types.part_count(type); ++i) {
    write(e, e.in.types.part(type, i), offset + e.in.types.part_offset_bytes(type, i), leaves, leaf, bytes);
  }
}

}  // namespace

std::vector<std::uint8_t> constant_bytes(Emitter& e, const ir::Constant& constant) {
  std::vector<std::uint8_t> bytes(e.in.types[constant.type].size_bytes);
  std::size_t leaf = 0;
  write(e, constant.type, 0, constant.leaves, leaf, bytes);
  return bytes;
}

}  // namespace weft::lower
