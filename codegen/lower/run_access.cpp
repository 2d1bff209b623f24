#include "codegen/lower/run_access.h"

#include "codegen/lower/address.h"

namespace weft::lower {

using ir::TypeKind;

namespace {

constexpr std::uint64_t kMaxPieceBytes = 16;

// Members `first` to `first + count` of an aggregate, side by side and of one size.
struct Run {
  std::size_t first;
  std::size_t count;
  std::uint64_t offset_bytes;
  std::uint64_t unit_bytes;

  // Members of a piece, a power of two. The last piece ends with the run, and may overlap the one before.
  [[nodiscard]] std::size_t piece() const {
    return std::min<std::size_t>(std::bit_floor(count), kMaxPieceBytes / unit_bytes);
  }
  [[nodiscard]] std::vector<std::size_t> piece_starts() const {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < count; i += piece()) {
      starts.push_back(std::min(i, count - piece()));
    }
    return starts;
  }
};

std::uint64_t unit_bytes(const MemoryLeaf& leaf) { return ir::memory_bytes(leaf.kind); }

// The longest run from a leaf on.
Run run_at(std::span<const MemoryLeaf> leaves, std::size_t first) {
  const std::uint64_t unit = unit_bytes(leaves[first]);
  std::size_t end = first + 1;
  while (end < leaves.size() && unit_bytes(leaves[end]) == unit &&
         leaves[end].offset_bytes == leaves[end - 1].offset_bytes + unit) {
    ++end;
  }
  return {.first = first, .count = end - first, .offset_bytes = leaves[first].offset_bytes, .unit_bytes = unit};
}

bool is_strided(const Place& place) { return place.terms.empty(); }

// Whether pieces are cheaper than gathers: the address of each lane has to be taken out of a vector unless it is known.
bool worth_pieces(Emitter& e, const Place& place, const Run& run) {
  const std::uint64_t bytes = run.count * run.unit_bytes;
  const bool fits =
      run.unit_bytes >= 4 && run.piece() > 1 && e.width % run.piece() == 0 && run.offset_bytes + bytes <= kZeroBytes;
  return fits && is_scattered(e, place, run.unit_bytes) && bytes >= (is_strided(place) ? 8U : 12U);
}

// Whether all lanes are active, and known to be in range or tested for it at once.
bool may_be_whole(const Emitter& e, const Place& place) {
  return e.mask() == nullptr && (place.valid == nullptr || place.all_valid != nullptr);
}

Values whole_or(Emitter& e, const Place& place, const std::function<Values()>& whole,
                const std::function<Values()>& one_by_one) {
  return place.valid == nullptr ? whole() : either(e, test_of_all(e, place), whole, one_by_one);
}

llvm::Value* lane_address(Emitter& e, const Place& place, std::uint32_t lane) {
  return e.b.CreateConstGEP1_64(e.b.getInt8Ty(), whole_base(place), static_cast<std::uint64_t>(place.stride) * lane);
}

// The addresses of all lanes; of those that are off one with zeros.
Values lane_addresses(Emitter& e, const Place& place, llvm::Value* mask) {
  Values result;
  if (is_strided(place) && mask == nullptr) {
    for (std::uint32_t lane = 0; lane < e.width; ++lane) {
      result.push_back(lane_address(e, place, lane));
    }
    return result;
  }
  llvm::Value* all = addresses(e, place);
  if (mask != nullptr) {
    all = e.b.CreateSelect(mask, all, e.splat(zeros(e)));
  }
  for (std::uint32_t lane = 0; lane < e.width; ++lane) {
    result.push_back(e.b.CreateExtractElement(all, lane));
  }
  return result;
}

// The members of a run as vectors of integers.
Values load_run(Emitter& e, const Place& place, const Run& run, llvm::Value* mask) {
  const auto q = static_cast<std::uint32_t>(run.piece());
  e.note(RemarkKind::piece_access, q * run.unit_bytes);
  llvm::Type* unit = e.b.getIntNTy(static_cast<unsigned>(8 * run.unit_bytes));
  llvm::Type* piece_type = llvm::FixedVectorType::get(unit, q);
  const Values lanes = lane_addresses(e, place, mask);
  Values members(run.count);
  for (const std::size_t start : run.piece_starts()) {
    Values rows;
    for (std::uint32_t j = 0; j < q; ++j) {
      Values pieces;
      for (std::uint32_t lane = j; lane < e.width; lane += q) {
        llvm::Value* address =
            e.b.CreateConstGEP1_64(e.b.getInt8Ty(), lanes[lane], run.offset_bytes + start * run.unit_bytes);
        pieces.push_back(e.b.CreateAlignedLoad(piece_type, address, kMemoryAlign));
      }
      rows.push_back(joined(e.b, std::move(pieces)));
    }
    const Values columns = transposed(e.b, std::move(rows));
    std::ranges::copy(columns, members.begin() + static_cast<std::ptrdiff_t>(start));
  }
  return members;
}

// Of lanes with constant distances, all of them active and in range.
void store_run(Emitter& e, const Place& place, const Run& run, const Values& members) {
  const auto q = static_cast<std::uint32_t>(run.piece());
  e.note(RemarkKind::piece_access, q * run.unit_bytes);
  for (const std::size_t start : run.piece_starts()) {
    const Values rows = transposed(e.b, Values(llvm::ArrayRef(members).slice(start, q)));
    for (std::uint32_t lane = 0; lane < e.width; ++lane) {
      llvm::Value* address = e.b.CreateConstGEP1_64(e.b.getInt8Ty(), lane_address(e, place, lane),
                                                    run.offset_bytes + start * run.unit_bytes);
      e.b.CreateAlignedStore(piece(e.b, rows[lane % q], lane / q, q), address, kMemoryAlign);
    }
  }
}

std::vector<llvm::Value*> load_words(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves) {
  std::vector<llvm::Value*> result;
  while (result.size() < leaves.size()) {
    const Run run = run_at(leaves, result.size());
    const auto members = leaves.subspan(run.first, run.count);
    const auto one_by_one = [&] {
      Values values;
      for (const MemoryLeaf& leaf : members) {
        values.push_back(load_scalar(e, place, leaf.offset_bytes, leaf.kind));
      }
      return values;
    };
    const auto in_pieces = [&](llvm::Value* mask) {
      Values values = load_run(e, place, run, mask);
      for (std::size_t i = 0; i < run.count; ++i) {
        llvm::Value* value = e.b.CreateBitCast(values[i], e.pack_type(e.memory_type(members[i].kind)));
        values[i] = from_memory(e, value, members[i].kind);
      }
      return values;
    };
    Values values;
    if (!worth_pieces(e, place, run)) {
      values = one_by_one();
    } else if (is_strided(place) && may_be_whole(e, place)) {
      values = whole_or(e, place, [&] { return in_pieces(nullptr); }, one_by_one);
    } else {
      values = in_pieces(active_valid_mask(e, place));
    }
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

void store_words(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves, std::span<const Leaf> values) {
  for (std::size_t next = 0; next < leaves.size();) {
    const Run run = run_at(leaves, next);
    next += run.count;
    const auto one_by_one = [&] {
      for (std::size_t i = run.first; i < next; ++i) {
        store_scalar(e, place, leaves[i].offset_bytes, leaves[i].kind, values[i]);
      }
      return Values();
    };
    const auto in_pieces = [&] {
      Values members;
      llvm::Type* unit = e.b.getIntNTy(static_cast<unsigned>(8 * run.unit_bytes));
      for (std::size_t i = run.first; i < next; ++i) {
        members.push_back(e.b.CreateBitCast(to_memory(e, e.vector(values[i]), leaves[i].kind), e.pack_type(unit)));
      }
      store_run(e, place, run, members);
      return Values();
    };
    if (worth_pieces(e, place, run) && is_strided(place) && may_be_whole(e, place)) {
      whole_or(e, place, in_pieces, one_by_one);
    } else {
      one_by_one();
    }
  }
}

// Leaves `first` to `first + count`, which are one word of memory: one leaf, or several small ones of 4 bytes in sum.
struct Word {
  std::size_t first;
  std::size_t count;

  [[nodiscard]] MemoryLeaf memory(std::span<const MemoryLeaf> leaves) const {
    return {leaves[first].offset_bytes, count == 1 ? leaves[first].kind : TypeKind::u32};
  }
};

std::vector<Word> words_of(std::span<const MemoryLeaf> leaves) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < leaves.size(); i += words.back().count) {
    std::uint64_t bytes = unit_bytes(leaves[i]);
    std::size_t end = i + 1;
    while (bytes < 4 && end < leaves.size() && leaves[end].offset_bytes == leaves[i].offset_bytes + bytes) {
      bytes += unit_bytes(leaves[end]);
      ++end;
    }
    words.push_back({i, bytes == 4 ? end - i : 1});
  }
  return words;
}

llvm::Value* part_of_word(Emitter& e, llvm::Value* word, std::uint64_t offset_bytes, TypeKind kind) {
  llvm::Type* integer = e.pack_type(e.b.getIntNTy(static_cast<unsigned>(8 * ir::memory_bytes(kind))));
  llvm::Value* part = e.b.CreateTrunc(e.b.CreateLShr(word, 8 * offset_bytes), integer);
  return from_memory(e, e.b.CreateBitCast(part, e.pack_type(e.memory_type(kind))), kind);
}

llvm::Value* with_part(Emitter& e, llvm::Value* word, const Leaf& value, std::uint64_t offset_bytes, TypeKind kind) {
  llvm::Type* integer = e.pack_type(e.b.getIntNTy(static_cast<unsigned>(8 * ir::memory_bytes(kind))));
  llvm::Value* part = e.b.CreateBitCast(to_memory(e, e.vector(value), kind), integer);
  return e.b.CreateOr(word, e.b.CreateShl(e.b.CreateZExt(part, word->getType()), 8 * offset_bytes));
}

}  // namespace

std::vector<llvm::Value*> load_leaves(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves) {
  if (e.width == 1 || is_uniform(place)) {
    return load_words(e, place, leaves);
  }
  const std::vector<Word> words = words_of(leaves);
  std::vector<MemoryLeaf> memory;
  for (const Word& word : words) {
    memory.push_back(word.memory(leaves));
  }
  const std::vector<llvm::Value*> loaded = load_words(e, place, memory);
  std::vector<llvm::Value*> result;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w].count == 1) {
      result.push_back(loaded[w]);
      continue;
    }
    for (const MemoryLeaf& leaf : leaves.subspan(words[w].first, words[w].count)) {
      result.push_back(part_of_word(e, loaded[w], leaf.offset_bytes - memory[w].offset_bytes, leaf.kind));
    }
  }
  return result;
}

void store_leaves(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves, std::span<const Leaf> values) {
  if (e.width == 1 || is_uniform(place)) {
    return store_words(e, place, leaves, values);
  }
  std::vector<MemoryLeaf> memory;
  std::vector<Leaf> stored;
  for (const Word& word : words_of(leaves)) {
    memory.push_back(word.memory(leaves));
    if (word.count == 1) {
      stored.push_back(values[word.first]);
      continue;
    }
    llvm::Value* joint = e.zero(e.pack_type(e.b.getInt32Ty()));
    for (std::size_t i = word.first; i < word.first + word.count; ++i) {
      joint = with_part(e, joint, values[i], leaves[i].offset_bytes - memory.back().offset_bytes, leaves[i].kind);
    }
    stored.push_back({joint, passes::kVarying});
  }
  store_words(e, place, memory, stored);
}

}  // namespace weft::lower
