// Which nodes precede which along the edges of a graph, for many nodes at once: a bit for each of up to
// kSourcesPerBlock sources is carried along all edges in one pass. A graph of n nodes is done in n / kSourcesPerBlock
// passes, in memory that is linear in n; the bits of 10,000 nodes take a few milliseconds.
#pragma once

#include "runtime/graph/dag.h"

#include <array>

namespace weft::graph {

inline constexpr std::size_t kSourcesPerBlock = 1024;

// One bit for each source of a block.
struct SourceBits {
  std::array<std::uint64_t, kSourcesPerBlock / 64> words{};

  bool test(std::size_t i) const { return ((words[i / 64] >> (i % 64)) & 1) != 0; }
  void set(std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  SourceBits& operator|=(const SourceBits& other) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    return *this;
  }
  SourceBits& operator&=(const SourceBits& other) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] &= other.words[i];
    return *this;
  }
};

// For each node, which of the sources (at most kSourcesPerBlock, any node any number of times) precede it. No node
// precedes itself.
std::vector<SourceBits> preceding_sources(const Dag& dag, std::span<const NodeIndex> sources);

// A square matrix of bits, for relations.
class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size) : size_(size), words_per_row_((size + 63) / 64), words_(size * words_per_row_) {}

  std::size_t size() const { return size_; }
  bool test(std::size_t row, std::size_t column) const {
    return ((this->row(row)[column / 64] >> (column % 64)) & 1) != 0;
  }
  void set(std::size_t row, std::size_t column) { this->row(row)[column / 64] |= std::uint64_t{1} << (column % 64); }
  void clear(std::size_t row, std::size_t column) {
    this->row(row)[column / 64] &= ~(std::uint64_t{1} << (column % 64));
  }
  std::span<std::uint64_t> row(std::size_t i) { return std::span(words_).subspan(i * words_per_row_, words_per_row_); }
  std::span<const std::uint64_t> row(std::size_t i) const {
    return std::span(words_).subspan(i * words_per_row_, words_per_row_);
  }

 private:
  std::size_t size_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> words_;
};

}  // namespace weft::graph
