// Handlers of the family memory.
#include "codegen/interp/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::interp {

using namespace ir;

void Access::report_out_of_range(Words reference) const {
  if (c_.block.plan().options.checked) {
    c_.block.fault(
        FaultKind::bounds, c_.op, lane_,
        fmt::format("index {} is out of range, there are {}",
                    static_cast<std::int64_t>(reference.at(lane_, Place::kIndex)), reference.at(lane_, Place::kCount)));
  }
}

void Access::report_unwritten(std::uint64_t at, const Leaf& leaf) const {
  const std::byte* bytes = shadow_ + at;
  if (std::find(bytes, bytes + leaf.size_bytes, std::byte{0}) != bytes + leaf.size_bytes) {
    c_.block.count_uninitialised(c_.op, lane_);
  }
}

TypeId pointee(const Context& c) { return c.block.types()[c.operand_type(0)].element; }

namespace {

std::uint64_t address(const std::byte* data) { return std::bit_cast<std::uint64_t>(data); }

// Makes the result a reference to this place.
void set_place(const Context& c, std::uint32_t lane, std::uint64_t data, std::uint64_t shadow,
               std::uint64_t component_stride = 0) {
  c.result().at(lane, Place::kData) = data;
  c.result().at(lane, Place::kShadow) = shadow;
  c.result().at(lane, Place::kComponentStride) = component_stride;
}

void set_out_of_range(const Context& c, std::uint32_t lane, std::uint64_t index, std::uint64_t count) {
  set_place(c, lane, 0, 0);
  c.result().at(lane, Place::kIndex) = index;
  c.result().at(lane, Place::kCount) = count;
}

// Makes the result the part of the place in operand 0, which is out of range if that is.
void set_part(const Context& c, std::uint32_t lane, std::uint64_t part) {
  const Words from = c.operand(0);
  const std::uint64_t data = from.at(lane, Place::kData);
  if (data == 0) {
    set_out_of_range(c, lane, from.at(lane, Place::kIndex), from.at(lane, Place::kCount));
    return;
  }
  const Type& aggregate = c.block.types()[pointee(c)];
  const std::uint64_t stride = from.at(lane, Place::kComponentStride);
  const std::uint64_t offset = stride != 0 ? stride * part : c.block.types().part_offset_bytes(pointee(c), part);
  const std::uint64_t shadow = from.at(lane, Place::kShadow);
  const bool is_strided_column = aggregate.kind == TypeKind::matrix && aggregate.row_major;
  set_place(c, lane, data + offset, shadow != 0 ? shadow + offset : 0, is_strided_column ? aggregate.stride_bytes : 0);
}

}  // namespace

namespace handlers {

void local(const Context& c) {
  const Variable& variable = c.frame.local(c.op);
  const std::byte initial = variable.tracked ? c.block.plan().options.poison : std::byte{0};
  for (const std::uint32_t lane : c.lanes) {
    std::byte* data = c.frame.local_data(variable, lane);
    std::byte* shadow = c.frame.local_shadow(variable, lane);
    std::fill_n(data, variable.size_bytes, initial);
    std::fill_n(shadow, variable.size_bytes, std::byte{0});
    set_place(c, lane, address(data), variable.tracked ? address(shadow) : 0);
  }
}

void shared(const Context& c) {
  const Variable& variable = c.block.plan().shared.at(c.op.result);
  for (const std::uint32_t lane : c.lanes) {
    set_place(c, lane, address(c.block.shared_data(variable)), address(c.block.shared_shadow(variable)));
  }
}

void global(const Context& c) {
  const std::vector<std::byte>& data = c.block.plan().globals[c.op.imm];
  for (const std::uint32_t lane : c.lanes) {
    set_place(c, lane, address(data.data()), 0);
  }
}

void member(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    set_part(c, lane, c.op.imm);
  }
}

void element(const Context& c) {
  const TypeKind kind = c.scalar_kind(1);
  const std::uint64_t count = c.block.types().part_count(pointee(c));
  for (const std::uint32_t lane : c.lanes) {
    const std::uint64_t index = index_of(kind, c.operand(1).at(lane));
    if (index < count) {
      set_part(c, lane, index);
    } else {
      set_out_of_range(c, lane, index, count);
    }
  }
}

void buffer_element(const Context& c) {
  const TypeKind kind = c.scalar_kind(1);
  const std::uint64_t stride = c.block.types()[c.operand_type(0)].stride_bytes;
  for (const std::uint32_t lane : c.lanes) {
    const std::uint64_t index = index_of(kind, c.operand(1).at(lane));
    const std::uint64_t count = c.operand(0).at(lane, 1);
    if (index < count) {
      set_place(c, lane, c.operand(0).at(lane, 0) + index * stride, 0);
    } else {
      set_out_of_range(c, lane, index, count);
    }
  }
}

void byte_element(const Context& c) {
  const TypeKind kind = c.scalar_kind(1);
  const std::uint64_t size = c.block.types()[c.block.types()[c.op.type].element].size_bytes;
  for (const std::uint32_t lane : c.lanes) {
    const std::uint64_t index = index_of(kind, c.operand(1).at(lane));
    const std::uint64_t count = c.operand(0).at(lane, 1);
    if (index < count && size <= count - index) {
      set_place(c, lane, c.operand(0).at(lane, 0) + index, 0);
    } else {
      set_out_of_range(c, lane, index, count);
    }
  }
}

void load(const Context& c) {
  const std::vector<Leaf>& leaves = c.block.plan().leaves[pointee(c).index];
  for (const std::uint32_t lane : c.lanes) {
    const Access access(c, c.operand(0), lane);
    const bool in_range = access.in_range();
    for (std::uint32_t w = 0; w < leaves.size(); ++w) {
      c.result().at(lane, w) = in_range ? access.read(w, leaves[w]) : 0;
    }
  }
}

void store(const Context& c) {
  const std::vector<Leaf>& leaves = c.block.plan().leaves[pointee(c).index];
  for (const std::uint32_t lane : c.lanes) {
    const Access access(c, c.operand(0), lane);
    const bool in_range = access.in_range();
    for (std::uint32_t w = 0; in_range && w < leaves.size(); ++w) {
      access.write(w, leaves[w], c.operand(1).at(lane, w));
    }
  }
}

void buffer_size(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = c.operand(0).at(lane, 1);
  }
}

}  // namespace handlers
}  // namespace weft::interp
