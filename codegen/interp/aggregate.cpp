// Handlers of the family aggregate: they move words.
#include "codegen/interp/handlers.h"
#include "codegen/interp/scalar.h"

namespace weft::interp {

using namespace ir;

std::uint64_t index_of(TypeKind kind, std::uint64_t word) {
  std::uint64_t index = word;
  visit_scalar(kind,
               [&]<Integer T>() { index = static_cast<std::uint64_t>(static_cast<std::int64_t>(from_bits<T>(word))); });
  return index;
}

namespace {

// to[to_word ...] = from[from_word ...] in all lanes.
void copy_words(const Context& c, Words from, std::uint32_t from_word, Words to, std::uint32_t to_word,
                std::uint32_t count) {
  for (std::uint32_t w = 0; w < count; ++w) {
    for (const std::uint32_t lane : c.lanes) {
      to.at(lane, to_word + w) = from.at(lane, from_word + w);
    }
  }
}

// Calls f(lane, first word of the part) where the index operand chooses a part, f(lane, nothing) where it does not.
template <class F>
void for_each_part(const Context& c, F f) {
  const TypeTable& types = c.block.types();
  const TypeKind kind = c.scalar_kind(1);
  const std::uint64_t count = types.part_count(c.operand_type(0));
  const std::uint32_t words = part_words(types, c.operand_type(0), 0);
  for (const std::uint32_t lane : c.lanes) {
    const std::uint64_t index = index_of(kind, c.operand(1).at(lane));
    f(lane, index < count ? std::optional(static_cast<std::uint32_t>(index) * words) : std::nullopt);
  }
}

}  // namespace

namespace handlers {

void make(const Context& c) {
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < c.op.operand_count; ++i) {
    const std::uint32_t count = word_count(c.block.types(), c.operand_type(i));
    copy_words(c, c.operand(i), 0, c.result(), word, count);
    word += count;
  }
}

void splat(const Context& c) {
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    copy_words(c, c.operand(0), 0, c.result(), w, 1);
  }
}

void extract(const Context& c) {
  copy_words(c, c.operand(0), words_before(c.block.types(), c.operand_type(0), c.op.imm), c.result(), 0,
             c.result_words());
}

void extract_at(const Context& c) {
  for_each_part(c, [&](std::uint32_t lane, std::optional<std::uint32_t> first) {
    for (std::uint32_t w = 0; w < c.result_words(); ++w) {
      c.result().at(lane, w) = first ? c.operand(0).at(lane, *first + w) : 0;
    }
  });
}

void insert(const Context& c) {
  const TypeTable& types = c.block.types();
  copy_words(c, c.operand(0), 0, c.result(), 0, c.result_words());
  copy_words(c, c.operand(1), 0, c.result(), words_before(types, c.op.type, c.op.imm),
             part_words(types, c.op.type, c.op.imm));
}

void insert_at(const Context& c) {
  copy_words(c, c.operand(0), 0, c.result(), 0, c.result_words());
  const std::uint32_t words = part_words(c.block.types(), c.op.type, 0);
  for_each_part(c, [&](std::uint32_t lane, std::optional<std::uint32_t> first) {
    for (std::uint32_t w = 0; first && w < words; ++w) {
      c.result().at(lane, *first + w) = c.operand(2).at(lane, w);
    }
  });
}

void swizzle(const Context& c) {
  const Components components = Components::unpack(c.op.imm);
  for (std::uint32_t i = 0; i < components.count; ++i) {
    copy_words(c, c.operand(0), components.index[i], c.result(), i, 1);
  }
}

}  // namespace handlers
}  // namespace weft::interp
