// Expansions of the family vector on matrices. A matrix is its columns; m[j][i] is row i of column j.
#include <array>
#include <vector>

#include "codegen/passes/expansions.h"

namespace weft::passes::expansions {

using namespace ir;

namespace {

// The rows and columns of a matrix that a minor keeps.
struct Kept {
  std::array<std::uint32_t, 4> index{};
  std::uint32_t count = 0;

  static Kept all(std::uint32_t n) {
    Kept kept;
    for (; kept.count < n; ++kept.count) {
      kept.index[kept.count] = kept.count;
    }
    return kept;
  }
  // Without its k-th.
  [[nodiscard]] Kept without(std::uint32_t k) const {
    Kept kept;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i != k) {
        kept.index[kept.count++] = index[i];
      }
    }
    return kept;
  }
};

// The scalars of a matrix, each extracted once.
class Cells {
 public:
  explicit Cells(Expr matrix) {
    for (const Expr column : split(matrix)) {
      columns_.push_back(split(column));
    }
  }

  [[nodiscard]] std::uint32_t columns() const { return static_cast<std::uint32_t>(columns_.size()); }
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(columns_[0].size()); }
  [[nodiscard]] Expr at(std::uint32_t row, std::uint32_t column) const { return columns_[column][row]; }

  // The determinant of the kept rows and columns, by cofactors of the first kept column.
  [[nodiscard]] Expr determinant(const Kept& rows, const Kept& columns) const {
    const std::uint32_t first = columns.index[0];
    if (rows.count == 1) {
      return at(rows.index[0], first);
    }
    if (rows.count == 2) {
      const std::uint32_t second = columns.index[1];
      return at(rows.index[0], first) * at(rows.index[1], second) -
             at(rows.index[1], first) * at(rows.index[0], second);
    }
    Expr sum = at(rows.index[0], first) * determinant(rows.without(0), columns.without(0));
    for (std::uint32_t i = 1; i < rows.count; ++i) {
      const Expr term = at(rows.index[i], first) * determinant(rows.without(i), columns.without(0));
      sum = i % 2 == 0 ? sum + term : sum - term;
    }
    return sum;
  }

 private:
  std::vector<std::vector<Expr>> columns_;
};

// Matrix times column vector: the columns weighted by the components, from the first on.
Expr weighted_sum(std::span<const Expr> columns, Expr weights) {
  const auto term = [&](std::uint32_t k) { return columns[k] * splat(columns[k].type(), weights[k]); };
  Expr sum = term(0);
  for (std::uint32_t k = 1; k < columns.size(); ++k) {
    sum = sum + term(k);
  }
  return sum;
}

bool is_vector(Expr a) { return a.types()[a.type()].kind == TypeKind::vector; }

}  // namespace

Expr outer_product(const Expansion& x) {
  std::vector<Expr> columns;
  for (std::uint32_t j = 0; j < x[1].parts(); ++j) {
    columns.push_back(x[0] * splat(x[0].type(), x[1][j]));
  }
  return make(x[0].types().matrix(x[0].scalar_type(), x[1].parts(), x[0].parts()), columns);
}

Expr matrix_product(const Expansion& x) {
  TypeTable& types = x[0].types();
  const TypeId scalar = x[0].scalar_type();
  std::vector<Expr> parts;
  if (is_vector(x[0])) {
    for (const Expr column : split(x[1])) {
      parts.push_back(passes::dot(x[0], column));
    }
    return make(types.vector(scalar, x[1].parts()), parts);
  }
  const std::vector<Expr> columns = split(x[0]);
  if (is_vector(x[1])) {
    return weighted_sum(columns, x[1]);
  }
  for (const Expr weights : split(x[1])) {
    parts.push_back(weighted_sum(columns, weights));
  }
  return make(types.matrix(scalar, x[1].parts(), parts[0].parts()), parts);
}

Expr transpose(const Expansion& x) {
  const Cells cells(x[0]);
  TypeTable& types = x[0].types();
  std::vector<Expr> columns;
  for (std::uint32_t i = 0; i < cells.rows(); ++i) {
    std::vector<Expr> column;
    for (std::uint32_t j = 0; j < cells.columns(); ++j) {
      column.push_back(cells.at(i, j));
    }
    columns.push_back(make(types.vector(x[0].scalar_type(), cells.columns()), column));
  }
  return make(types.matrix(x[0].scalar_type(), cells.rows(), cells.columns()), columns);
}

Expr determinant(const Expansion& x) {
  const Kept all = Kept::all(x[0].parts());
  return Cells(x[0]).determinant(all, all);
}

// Row i of column j of the inverse is the cofactor of row j and column i, over the determinant.
Expr inverse(const Expansion& x) {
  const Cells cells(x[0]);
  const Kept all = Kept::all(cells.columns());
  const Expr divisor = splat(x[0].part_type(), cells.determinant(all, all));
  std::vector<Expr> columns;
  for (std::uint32_t j = 0; j < cells.columns(); ++j) {
    std::vector<Expr> column;
    for (std::uint32_t i = 0; i < cells.rows(); ++i) {
      const Expr minor = cells.determinant(all.without(j), all.without(i));
      column.push_back((i + j) % 2 == 0 ? minor : -minor);
    }
    columns.push_back(make(x[0].part_type(), column) / divisor);
  }
  return make(x[0].type(), columns);
}

}  // namespace weft::passes::expansions
