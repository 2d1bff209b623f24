#include <catch2/catch.hpp>

#include "tests/unit/multifrontal/support.h"

using namespace multifrontal;

namespace {

std::string error_of(const std::string& text) { return multifrontal::error_of("broken.mtx", text, read_matrix_market); }

std::string header() { return "%%MatrixMarket matrix coordinate real symmetric\n"; }

}  // namespace

TEST_CASE("matrix market: a symmetric matrix is its lower triangle, with a whole diagonal") {
  const TemporaryFile file("good.mtx", header() + "% a comment\n\n3 3 3\n3 1 -1.5\n1 1 2\n3 3 4e0\n");
  const SymmetricMatrix matrix = read_matrix_market(file.path());
  CHECK(matrix.starts == std::vector<std::uint64_t>{0, 2, 3, 4});
  CHECK(matrix.rows == std::vector<std::uint32_t>{0, 2, 1, 2});
  CHECK(matrix.values == std::vector<double>{2, -1.5, 0, 4});
}

TEST_CASE("matrix market: both triangles of a general matrix make one of a symmetric matrix") {
  const TemporaryFile file("general.mtx",
                           "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 2 7\n2 1 7\n1 1 3\n");
  CHECK(read_matrix_market(file.path()).values == std::vector<double>{3, 7, 0});
}

TEST_CASE("matrix market: a pattern is a Laplacian plus the identity") {
  const TemporaryFile file("pattern.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  CHECK(read_matrix_market(file.path()).values == std::vector<double>{2, -1, 3, -1, 2});
}

TEST_CASE("matrix market: what is broken is an error that names the line") {
  CHECK(error_of("") == "1: error: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  CHECK(error_of("%%MatrixMarket matrix array real symmetric\n") ==
        "1: error: expected a coordinate matrix, not 'matrix array'");
  CHECK(error_of("%%MatrixMarket matrix coordinate complex symmetric\n") ==
        "1: error: expected entries that are real, integer or pattern, not 'complex'");
  CHECK(error_of("%%MatrixMarket matrix coordinate real hermitian\n") ==
        "1: error: expected a matrix that is symmetric or general, not 'hermitian'");
  CHECK(error_of(header()) == "1: error: expected a line 'ROWS COLUMNS ENTRIES', found the end of the file");
  CHECK(error_of(header() + "2 2\n") == "2: error: expected a line 'ROWS COLUMNS ENTRIES' of three numbers");
  CHECK(error_of(header() + "-2 -2 1\n") == "2: error: expected a line 'ROWS COLUMNS ENTRIES' of three numbers");
  CHECK(error_of(header() + "2 3 1\n") == "2: error: the matrix has 2 rows and 3 columns, and is not square");
  CHECK(error_of(header() + "0 0 0\n") == "2: error: a matrix of 0 rows; expected 1 to 2147483647");
  CHECK(error_of(header() + "2000000000 2000000000 1\n1 1 1\n") ==
        "2: error: the matrix is singular: its 2000000000 rows are more than 1 entries can reach");
  CHECK(error_of(header() + "2 2 1\n1 1 x\n") == "3: error: expected an entry 'ROW COLUMN VALUE'");
  CHECK(error_of(header() + "2 2 1\n1 1\n") == "3: error: expected an entry 'ROW COLUMN VALUE'");
  CHECK(error_of(header() + "2 2 1\n1 1 nan\n") == "3: error: entry (1, 1) is not finite");
  CHECK(error_of(header() + "2 2 1\n3 1 1\n") == "3: error: entry (3, 1) lies outside of a matrix of 2 rows");
  CHECK(error_of(header() + "2 2 1\n0 1 1\n") == "3: error: entry (0, 1) lies outside of a matrix of 2 rows");
  CHECK(error_of(header() + "2 2 1\n1 2 1\n") ==
        "3: error: entry (1, 2) lies above the diagonal of a symmetric matrix");
  CHECK(error_of(header() + "2 2 2\n1 1 1\n1 1 2\n") == "4: error: entry (1, 1) is given twice, first in line 3");
  CHECK(error_of(header() + "2 2 2\n1 1 1\n") == "3: error: the file ends after 1 of 2 entries");
  CHECK(error_of(header() + "2 2 1\n1 1 1\n2 2 1\n") == "4: error: more entries than the 1 of the size line");
}

TEST_CASE("matrix market: a matrix that is not symmetric is an error that names both entries") {
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(error_of(general + "2 2 2\n1 2 1\n2 1 3\n") ==
        "3: error: the matrix is not symmetric: entry (1, 2) is 1, entry (2, 1) is 3");
  CHECK(error_of(general + "2 2 1\n2 1 3\n") ==
        "3: error: the matrix is not symmetric: entry (2, 1) is 3, entry (1, 2) is 0");
}

TEST_CASE("matrix market: a file that is not there is an error that names it") {
  CHECK_THROWS_WITH(read_matrix_market("nowhere.mtx"), "nowhere.mtx: error: cannot be read");
}
