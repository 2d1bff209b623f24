#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "examples/multifrontal/grid.h"

namespace multifrontal {

namespace {

using Complex = std::complex<double>;

constexpr double kBarrier = 1e-2;               // the interior-point method's mu
constexpr double kPrimalRegularisation = 1e-4;  // added to the Hessian's diagonal
constexpr double kDualRegularisation = 1e-6;    // taken from the constraints' diagonal
constexpr double kLeastSlack = 0.05;

// What a bound on both sides adds to the Hessian for a variable half-way between them.
double barrier_curvature(double low, double high) {
  const double slack = std::max((high - low) / 2, kLeastSlack);
  return 2 * kBarrier / (slack * slack);
}

// Of the power that enters a branch at one end, the derivatives by angle and magnitude here, angle and magnitude there.
// S = V conj(I), I = Y_here V_here + Y_there V_there.
std::array<Complex, 4> flow_derivatives(const Bus& here, const Bus& there, Complex y_here, Complex y_there) {
  const Complex v = std::polar(here.magnitude, here.angle);
  const Complex w = std::polar(there.magnitude, there.angle);
  const Complex i{0, 1};
  const Complex current = y_here * v + y_there * w;
  return {i * v * std::conj(current) - i * v * std::conj(y_here * v),
          v / here.magnitude * std::conj(current) + v * std::conj(y_here * v / here.magnitude),
          -i * v * std::conj(y_there * w), v * std::conj(y_there * w / there.magnitude)};
}

class Kkt {
 public:
  explicit Kkt(const Grid& grid) : grid_(grid) {}

  SymmetricMatrix build() {
    for (std::uint32_t bus = 0; bus < grid_.buses.size(); ++bus) {
      add_bus(bus);
    }
    for (const Branch& branch : grid_.branches) {
      add_branch(branch);
    }
    for (std::uint32_t index = 0; index < grid_.generators.size(); ++index) {
      add_generator(index);
    }
    const std::size_t size = 4 * grid_.buses.size() + 2 * grid_.generators.size();
    return assemble(static_cast<std::uint32_t>(size), std::move(entries_));
  }

 private:
  void add(std::uint32_t row, std::uint32_t column, double value) { entries_.push_back({row, column, value}); }

  void add_bus(std::uint32_t index) {
    const Bus& bus = grid_.buses[index];
    const std::uint32_t first = 4 * index;
    add(first, first, kPrimalRegularisation);
    add(first + 1, first + 1, kPrimalRegularisation + barrier_curvature(bus.magnitude_min, bus.magnitude_max));
    add(first + 2, first + 1, 2 * bus.shunt_g * bus.magnitude);
    add(first + 3, first + 1, -2 * bus.shunt_b * bus.magnitude);
    add(first + 2, first + 2, -kDualRegularisation);
    add(first + 3, first + 3, -kDualRegularisation);
  }

  void add_branch(const Branch& branch) {
    const Complex series = 1.0 / Complex(branch.resistance, branch.reactance);
    const Complex shunted = series + Complex(0, branch.charging / 2);
    const Complex tap = std::polar(branch.ratio, branch.shift);
    add_end(branch, branch.from, branch.to, shunted / std::norm(tap), -series / std::conj(tap));
    add_end(branch, branch.to, branch.from, shunted, -series / tap);
  }

  // Power into the branch is taken from the bus's balance; its limit adds weight * g g^T to the Hessian.
  void add_end(const Branch& branch, std::uint32_t here, std::uint32_t there, Complex y_here, Complex y_there) {
    const std::array<Complex, 4> flow = flow_derivatives(grid_.buses[here], grid_.buses[there], y_here, y_there);
    const std::array<std::uint32_t, 4> unknowns{4 * here, 4 * here + 1, 4 * there, 4 * there + 1};
    const double limit = std::max(branch.limit > 0 ? branch.limit : 10.0, 1.0);
    const double weight = kBarrier / (limit * limit);
    for (std::size_t i = 0; i < 4; ++i) {
      add(4 * here + 2, unknowns[i], flow[i].real());
      add(4 * here + 3, unknowns[i], flow[i].imag());
      for (std::size_t j = 0; j <= i; ++j) {
        const double product = flow[i].real() * flow[j].real() + flow[i].imag() * flow[j].imag();
        add(unknowns[i], unknowns[j], weight * product);
      }
    }
  }

  void add_generator(std::uint32_t index) {
    const Generator& g = grid_.generators[index];
    const std::uint32_t first = static_cast<std::uint32_t>(4 * grid_.buses.size()) + 2 * index;
    add(first, first, kPrimalRegularisation + 2 * g.quadratic_cost + barrier_curvature(g.p_min, g.p_max));
    add(first + 1, first + 1, kPrimalRegularisation + barrier_curvature(g.q_min, g.q_max));
    add(first, 4 * g.bus + 2, -1.0);
    add(first + 1, 4 * g.bus + 3, -1.0);
  }

  const Grid& grid_;
  std::vector<Entry> entries_;
};

}  // namespace

SymmetricMatrix condensed_kkt(const Grid& grid) { return Kkt(grid).build(); }

}  // namespace multifrontal
