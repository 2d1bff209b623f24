// Power grids, and the linear system that an interior-point method solves for their optimal power flow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "examples/multifrontal/matrix.h"

namespace multifrontal {

// Powers in units of the grid's base, angles in radians.
struct Bus {
  double shunt_g = 0, shunt_b = 0, magnitude = 1, angle = 0, magnitude_min = 0.9, magnitude_max = 1.1;
};
struct Generator {
  std::uint32_t bus = 0;
  double p_min = 0, p_max = 0, q_min = 0, q_max = 0, quadratic_cost = 0;
};
struct Branch {
  std::uint32_t from = 0, to = 0;
  double resistance = 0, reactance = 0, charging = 0, limit = 0, ratio = 1, shift = 0;  // limit 0: none
};
struct Grid {
  std::vector<Bus> buses;
  std::vector<Generator> generators;
  std::vector<Branch> branches;
};

// Reads a MATPOWER case (.m, version 2): the tables bus, gen, branch and gencost of `mpc`. What is out of service is
// left out. Throws InputError.
Grid read_matpower(const std::filesystem::path& file);

// A grid of width x height buses with lines between neighbours, the same each time.
Grid lattice_grid(std::uint32_t width, std::uint32_t height);

// So many copies in a row, each joined to the next by tie lines. Throws std::runtime_error for more than can be solved.
Grid join_copies(const Grid& grid, std::uint32_t copies, std::uint32_t tie_lines = 8);

// The condensed KKT matrix of the optimal power flow: inequalities are folded into the Hessian, both diagonals are
// regularised, so that the matrix is quasi-definite: L D L^T exists in any order. Unknowns of each bus are angle,
// magnitude and the multipliers of both balances; then two for each generator.
SymmetricMatrix condensed_kkt(const Grid& grid);

}  // namespace multifrontal
