// Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <tuple>

#include "examples/multifrontal/matrix.h"
#include "examples/multifrontal/words.h"

namespace multifrontal {

namespace {

struct Place {
  Entry entry;
  std::size_t line = 0;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file), in_(open_input(file)) {}

  SymmetricMatrix read() {
    read_header();
    read_sizes();
    read_entries();
    return assemble(size_, checked_entries());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(file_, line_number_, what); }

  bool next_line() {
    while (std::getline(in_, line_)) {
      ++line_number_;
      words_ = split_words(line_);
      if (!words_.empty() && (line_number_ == 1 || words_[0][0] != '%')) {
        return true;
      }
    }
    return false;
  }

  void read_header() {
    if (!next_line() || words_.size() != 5 || words_[0] != "%%MatrixMarket") {
      line_number_ = 1;
      fail("expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (lower(words_[1]) != "matrix" || lower(words_[2]) != "coordinate") {
      fail(fmt::format("expected a coordinate matrix, not '{} {}'", words_[1], words_[2]));
    }
    const std::string field = lower(words_[3]);
    if (field != "real" && field != "integer" && field != "pattern") {
      fail(fmt::format("expected entries that are real, integer or pattern, not '{}'", words_[3]));
    }
    const std::string symmetry = lower(words_[4]);
    if (symmetry != "symmetric" && symmetry != "general") {
      fail(fmt::format("expected a matrix that is symmetric or general, not '{}'", words_[4]));
    }
    pattern_ = field == "pattern";
    general_ = symmetry == "general";
  }

  void read_sizes() {
    if (!next_line()) {
      fail("expected a line 'ROWS COLUMNS ENTRIES', found the end of the file");
    }
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    if (words_.size() != 3 || !parse_number(words_[0], rows) || !parse_number(words_[1], columns) ||
        !parse_number(words_[2], count_)) {
      fail("expected a line 'ROWS COLUMNS ENTRIES' of three numbers");
    }
    if (rows != columns) {
      fail(fmt::format("the matrix has {} rows and {} columns, and is not square", rows, columns));
    }
    if (rows == 0 || rows > std::numeric_limits<std::int32_t>::max()) {
      fail(fmt::format("a matrix of {} rows; expected 1 to {}", rows, std::numeric_limits<std::int32_t>::max()));
    }
    if (!pattern_ && rows / 2 > count_) {
      fail(fmt::format("the matrix is singular: its {} rows are more than {} entries can reach", rows, count_));
    }
    size_ = static_cast<std::uint32_t>(rows);
  }

  void read_entries() {
    while (next_line()) {
      if (places_.size() == count_) {
        fail(fmt::format("more entries than the {} of the size line", count_));
      }
      places_.push_back({read_entry(), line_number_});
    }
    if (places_.size() != count_) {
      fail(fmt::format("the file ends after {} of {} entries", places_.size(), count_));
    }
  }

  Entry read_entry() const {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    double value = 1;
    if (words_.size() != (pattern_ ? 2U : 3U) || !parse_number(words_[0], row) || !parse_number(words_[1], column) ||
        (!pattern_ && !parse_number(words_[2], value))) {
      fail(pattern_ ? "expected an entry 'ROW COLUMN'" : "expected an entry 'ROW COLUMN VALUE'");
    }
    if (row < 1 || row > size_ || column < 1 || column > size_) {
      fail(fmt::format("entry ({}, {}) lies outside of a matrix of {} rows", row, column, size_));
    }
    if (!general_ && row < column) {
      fail(fmt::format("entry ({}, {}) lies above the diagonal of a symmetric matrix", row, column));
    }
    if (!std::isfinite(value)) {
      fail(fmt::format("entry ({}, {}) is not finite", row, column));
    }
    return {static_cast<std::uint32_t>(row - 1), static_cast<std::uint32_t>(column - 1), value};
  }

  // The entries of one triangle, once it is sure that none is given twice and the other triangle is the same.
  std::vector<Entry> checked_entries() {
    std::ranges::sort(places_, {}, [](const Place& p) {
      const auto [low, high] = std::minmax(p.entry.row, p.entry.column);
      return std::tuple(low, high, p.entry.row, p.line);
    });
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Entry& e = places_[i].entry;
      const Place* const next = i + 1 < places_.size() ? &places_[i + 1] : nullptr;
      if (next != nullptr && next->entry.row == e.row && next->entry.column == e.column) {
        line_number_ = next->line;
        fail(fmt::format("entry ({}, {}) is given twice, first in line {}", e.row + 1, e.column + 1, places_[i].line));
      }
      entries.push_back(e);
      if (general_ && e.row != e.column) {
        check_mirror(places_[i], next);
        ++i;
      }
    }
    return pattern_ ? laplacian(entries) : entries;
  }

  void check_mirror(const Place& place, const Place* mirror) {
    const Entry& e = place.entry;
    const bool there = mirror != nullptr && mirror->entry.row == e.column && mirror->entry.column == e.row;
    if (there && mirror->entry.value == e.value) {
      return;
    }
    line_number_ = place.line;
    fail(fmt::format("the matrix is not symmetric: entry ({}, {}) is {}, entry ({}, {}) is {}", e.row + 1, e.column + 1,
                     e.value, e.column + 1, e.row + 1, there ? mirror->entry.value : 0.0));
  }

  std::vector<Entry> laplacian(const std::vector<Entry>& edges) const {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < size_; ++i) {
      entries.push_back({i, i, 1.0});
    }
    for (const Entry& e : edges) {
      if (e.row != e.column) {
        entries.push_back({e.row, e.column, -1.0});
        entries[e.row].value += 1.0;
        entries[e.column].value += 1.0;
      }
    }
    return entries;
  }

  const std::filesystem::path& file_;
  std::ifstream in_;
  std::string line_;
  std::size_t line_number_ = 0;
  std::vector<std::string_view> words_;
  bool pattern_ = false, general_ = false;
  std::uint32_t size_ = 0;
  std::uint64_t count_ = 0;
  std::vector<Place> places_;
};

}  // namespace

SymmetricMatrix read_matrix_market(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace multifrontal
