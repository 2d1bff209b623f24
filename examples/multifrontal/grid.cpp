#include "examples/multifrontal/grid.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace multifrontal {

Grid lattice_grid(std::uint32_t width, std::uint32_t height) {
  constexpr Branch kLine{.resistance = 0.01, .reactance = 0.05, .charging = 0.02, .limit = 2};
  Grid grid;
  const auto connect = [&](std::uint32_t from, std::uint32_t to) {
    Branch line = kLine;
    line.from = from;
    line.to = to;
    line.reactance *= 1 + 0.1 * ((from * 7 + to * 3) % 11);
    grid.branches.push_back(line);
  };
  for (std::uint32_t bus = 0; bus < width * height; ++bus) {
    grid.buses.push_back({.shunt_b = bus % 13 == 0 ? 0.1 : 0.0});
    if (bus % width + 1 < width) {
      connect(bus, bus + 1);
    }
    if (bus + width < width * height) {
      connect(bus, bus + width);
    }
    if (bus % 5 == 0) {
      grid.generators.push_back({.bus = bus, .p_max = 2, .q_min = -1, .q_max = 1, .quadratic_cost = 0.1});
    }
  }
  return grid;
}

Grid join_copies(const Grid& grid, std::uint32_t copies, std::uint32_t tie_lines) {
  constexpr Branch kTieLine{.resistance = 0.005, .reactance = 0.05, .charging = 0.1, .limit = 5};
  const std::uint64_t unknowns = copies * (4 * std::uint64_t{grid.buses.size()} + 2 * grid.generators.size());
  if (unknowns > std::numeric_limits<std::int32_t>::max()) {
    throw std::runtime_error(fmt::format("{} copies of {} buses have {} unknowns; at most {} can be solved for", copies,
                                         grid.buses.size(), unknowns, std::numeric_limits<std::int32_t>::max()));
  }
  const std::uint32_t size = static_cast<std::uint32_t>(grid.buses.size());
  Grid joined;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    const std::uint32_t first = copy * size;
    joined.buses.insert(joined.buses.end(), grid.buses.begin(), grid.buses.end());
    for (Generator generator : grid.generators) {
      generator.bus += first;
      joined.generators.push_back(generator);
    }
    for (Branch branch : grid.branches) {
      branch.from += first;
      branch.to += first;
      joined.branches.push_back(branch);
    }
    for (std::uint32_t line = 0; copy > 0 && line < tie_lines; ++line) {
      Branch tie = kTieLine;
      tie.from = first - size + static_cast<std::uint32_t>((line + std::uint64_t{1}) * size / (tie_lines + 1));
      tie.to = first + static_cast<std::uint32_t>(std::uint64_t{line} * size / tie_lines);
      joined.branches.push_back(tie);
    }
  }
  return joined;
}

}  // namespace multifrontal
