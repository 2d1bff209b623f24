#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "examples/multifrontal/grid.h"
#include "tests/unit/multifrontal/support.h"

using namespace multifrontal;

namespace {

std::string base() { return "function mpc = two\nmpc.version = '2';\nmpc.baseMVA = 100.0;\n"; }
std::string buses() {
  return "mpc.bus = [ % two\n1 3 0 0 0 10 1 1.0 0 138 1 1.1 0.9;\n7 1 50 10 0 0 1 1 0 138 1 1.1 0.9\n];\n";
}
std::string generators() { return "mpc.gen = [\n1 0 0 30 -30 1 100 1 80 10;\n1 0 0 30 -30 1 100 0 80 10;\n];\n"; }
std::string costs() { return "mpc.gencost = [\n2 0 0 3 0.1 5 0;\n2 0 0 3 0.1 5 0;\n];\n"; }
std::string branches() { return "mpc.branch = [\n1 7 0.01 0.1 0.02 200 0 0 0 0 1 -30 30;\n];\n"; }

std::string error_of(const std::string& text) { return multifrontal::error_of("broken.m", text, read_matpower); }

}  // namespace

TEST_CASE("matpower: tables become a grid per unit, without what is out of service") {
  const TemporaryFile file("two.m", base() + buses() + generators() + costs() + branches());
  const Grid grid = read_matpower(file.path());
  REQUIRE(grid.buses.size() == 2);
  REQUIRE(grid.generators.size() == 1);
  REQUIRE(grid.branches.size() == 1);
  CHECK(grid.buses[0].shunt_b == 0.1);
  CHECK(grid.generators[0].p_max == 0.8);
  CHECK(grid.generators[0].p_min == 0.1);
  CHECK(grid.branches[0].to == 1);
  CHECK(grid.branches[0].ratio == 1);
  CHECK(grid.branches[0].limit == 2);
}

TEST_CASE("matpower: what is broken is an error that names the line") {
  CHECK(error_of("") == " error: no number is assigned to 'mpc.baseMVA'");
  CHECK(error_of("mpc.baseMVA = 0;\n") == "1: error: 'mpc.baseMVA' is 0, expected a finite number above 0");
  CHECK(error_of("mpc.baseMVA = inf;\n") == "1: error: 'mpc.baseMVA' is inf, expected a finite number above 0");
  CHECK(error_of(base()) == " error: no table 'mpc.bus', or an empty one");
  CHECK(error_of(base() + "mpc.bus = [\n1 2 x\n];") == "5: error: 'x' in table 'mpc.bus' is no number");
  CHECK(error_of(base() + "mpc.bus = [\n1 2 nan\n];") == "5: error: 'nan' in table 'mpc.bus' is no number");
  CHECK(error_of(base() + "mpc.bus = [\n1 2 3\n];") ==
        "5: error: a row of 'mpc.bus' has 3 columns, expected at least 13");
  CHECK(error_of(base() + "mpc.bus = [\n1 2 3\n") == "4: error: table 'mpc.bus' is not closed by ']'");
  CHECK(error_of(base() + "mpc.bus = [\n1 3 0 0 0 0 1 0 0 138 1 1.1 0.9;\n];\n") ==
        "5: error: bus 1 has voltage 0, expected more than 0");
  CHECK(error_of(base() + "mpc.bus = [\n1 3 0 0 0 0 1 1 0 138 1 1.1 0.9;1 3 0 0 0 0 1 1 0 138 1 1.1 0.9\n];\n") ==
        "5: error: bus 1 is given twice");
  const std::string rest = base() + buses() + generators() + costs();
  CHECK(error_of(base() + buses() + "mpc.gen = [5 0 0 30 -30 1 100 1 80 10];\n" + costs()) ==
        "8: error: there is no bus 5");
  CHECK(error_of(base() + buses() + generators() + "mpc.gencost = [2 0 0 3 0.1 5 0];\n") ==
        "12: error: table 'mpc.gencost' has 1 rows for 2 generators");
  CHECK(error_of(rest + "mpc.branch = [1 9 0.01 0.1 0.02 200 0 0 0 0 1];\n") == "16: error: there is no bus 9");
  CHECK(error_of(rest + "mpc.branch = [1 7 0 0 0.02 200 0 0 0 0 1];\n") == "16: error: branch 1 - 7 has no impedance");
  CHECK(error_of(rest + "mpc.branch = [1 1 0.1 0 0 200 0 0 0 0 1];\n") ==
        "16: error: branch 1 - 1 ends where it begins");
}

TEST_CASE("grid: more copies than can be solved for are an error") {
  CHECK_THROWS_WITH(join_copies(lattice_grid(64, 64), 1000000), Catch::Contains("1000000 copies of 4096 buses have"));
}

TEST_CASE("grid: copies are joined by tie lines") {
  const Grid one = lattice_grid(4, 4);
  const Grid joined = join_copies(one, 3, 2);
  CHECK(joined.buses.size() == 3 * one.buses.size());
  CHECK(joined.branches.size() == 3 * one.branches.size() + 4);
  std::size_t across = 0;
  for (const Branch& branch : joined.branches) {
    across += branch.from / 16 != branch.to / 16 ? 1 : 0;
  }
  CHECK(across == 4);
}
