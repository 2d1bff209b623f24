#include "codegen/ir/verify/type_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_set>

#include "codegen/ir/typing.h"

namespace weft::ir {

namespace {

// The stride between what is `bytes` large.
std::optional<std::string> stride_problem(const TypeTable& types, TypeId id, std::uint64_t bytes) {
  const Type& t = types[id];
  if (t.stride_bytes < bytes) {
    return fmt::format("stride of {} is {} bytes, what it holds has {}", types.text(id), t.stride_bytes, bytes);
  }
  if (const std::uint32_t align = types[t.element].align_bytes; t.stride_bytes % align != 0) {
    return fmt::format("stride of {} is {} bytes, expected a multiple of the alignment {}", types.text(id),
                       t.stride_bytes, align);
  }
  return std::nullopt;
}

std::optional<std::string> element_problem(const TypeTable& types, TypeId id) {
  const Type& t = types[id];
  if (!is_value_type(types, t.element)) {
    return fmt::format("{} holds {}, expected a value type", types.text(id), types.text(t.element));
  }
  if (t.kind == TypeKind::reference) {
    return std::nullopt;
  }
  const std::uint64_t inner = t.kind != TypeKind::matrix ? 1 : t.row_major ? t.columns : t.rows;
  return stride_problem(types, id, types[t.element].size_bytes * inner);
}

// What is wrong with one member by itself.
std::optional<std::string> member_problem(const TypeTable& types, const Type& s, const Member& m) {
  if (!is_value_type(types, m.type)) {
    return fmt::format("member {} has type {}, expected a value type", m.name, types.text(m.type));
  }
  const Type& type = types[m.type];
  const std::uint64_t end = m.offset_bytes + type.size_bytes;
  if (end > s.size_bytes) {
    return fmt::format("member {} ends at byte {}, the struct has {}", m.name, end, s.size_bytes);
  }
  if (type.align_bytes > s.align_bytes) {
    return fmt::format("member {} has alignment {}, the struct has {}", m.name, type.align_bytes, s.align_bytes);
  }
  if (m.offset_bytes % type.align_bytes != 0) {
    return fmt::format("member {} is at byte {}, expected a multiple of its alignment {}", m.name, m.offset_bytes,
                       type.align_bytes);
  }
  return std::nullopt;
}

// Members in the order of their offsets overlap if neighbours do.
void find_overlaps(const TypeTable& types, const Type& s, std::vector<MemberProblem>& problems) {
  std::vector<std::size_t> order(s.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(s.members[a].offset_bytes, a) < std::pair(s.members[b].offset_bytes, b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto [first, second] = std::minmax(order[i - 1], order[i]);
    const Member& before = s.members[order[i - 1]];
    if (before.offset_bytes + types[before.type].size_bytes > s.members[order[i]].offset_bytes) {
      problems.push_back(
          {second, fmt::format("members {} and {} overlap", s.members[first].name, s.members[second].name)});
    }
  }
}

std::optional<std::string> structure_problem(const TypeTable& types, TypeId id) {
  const Type& t = types[id];
  if (t.members.empty()) {
    return fmt::format("struct {} has no members", t.name);
  }
  if (!std::has_single_bit(t.align_bytes)) {
    return fmt::format("alignment of struct {} is {}, expected a power of two", t.name, t.align_bytes);
  }
  if (t.size_bytes % t.align_bytes != 0) {
    return fmt::format("size of struct {} is {} bytes, expected a multiple of its alignment {}", t.name, t.size_bytes,
                       t.align_bytes);
  }
  if (auto problems = member_problems(types, id); !problems.empty()) {
    return std::move(problems.front().message);
  }
  return std::nullopt;
}

// Whether the leaves of a part, which begin at `leaf`, are no wider than their scalars; `leaf` moves to the first that
// is, or behind them.
bool leaves_fit(const TypeTable& types, TypeId id, const std::vector<std::uint64_t>& leaves, std::size_t& leaf) {
  const Type& t = types[id];
  if (is_scalar(t.kind)) {
    const std::uint32_t bits = scalar_bits(t.kind);
    const bool fits = bits == 64 || leaves[leaf] >> bits == 0;
    leaf += fits ? 1 : 0;
    return fits;
  }
  if (t.kind == TypeKind::structure) {
    return std::all_of(t.members.begin(), t.members.end(),
                       [&](const Member& m) { return leaves_fit(types, m.type, leaves, leaf); });
  }
  const std::uint64_t parts = t.leaf_count / types[t.element].leaf_count;
  for (std::uint64_t i = 0; i < parts; ++i) {
    if (!leaves_fit(types, t.element, leaves, leaf)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<MemberProblem> member_problems(const TypeTable& types, TypeId structure) {
  const Type& s = types[structure];
  std::vector<MemberProblem> problems;
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < s.members.size(); ++i) {
    if (auto problem = member_problem(types, s, s.members[i])) {
      problems.push_back({i, std::move(*problem)});
    } else if (!names.insert(s.members[i].name).second) {
      problems.push_back({i, fmt::format("member {} is declared twice", s.members[i].name)});
    }
  }
  if (problems.empty()) {
    find_overlaps(types, s, problems);
  }
  return problems;
}

std::optional<std::string> constant_problem(const TypeTable& types, const Constant& constant) {
  if (constant.type.index >= types.size() || !is_value_type(types, constant.type)) {
    return "constant has no value type";
  }
  const std::uint32_t leaves = types[constant.type].leaf_count;
  if (constant.leaves.size() != leaves) {
    return fmt::format("constant of type {} has {} leaves, expected {}", types.text(constant.type),
                       constant.leaves.size(), leaves);
  }
  std::size_t leaf = 0;
  if (!leaves_fit(types, constant.type, constant.leaves, leaf)) {
    return fmt::format("leaf {} of constant of type {} is wider than its scalar", leaf, types.text(constant.type));
  }
  return std::nullopt;
}

std::optional<std::string> type_problem(const TypeTable& types, TypeId id) {
  const Type& t = types[id];
  std::optional<std::string> problem;
  switch (t.kind) {
    case TypeKind::void_:
#define WEFT_SCALAR(name, id, text, bits, category, letter) case TypeKind::name:
#include "codegen/ir/scalars.def"
    case TypeKind::vector:
    case TypeKind::byte_buffer: return std::nullopt;
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::buffer:
    case TypeKind::reference: problem = element_problem(types, id); break;
    case TypeKind::structure: problem = structure_problem(types, id); break;
  }
  if (!problem && t.size_bytes > kMaxTypeBytes) {
    return fmt::format("{} has {} bytes, the most are {}", types.text(id), t.size_bytes, kMaxTypeBytes);
  }
  return problem;
}

}  // namespace weft::ir
