// Large fronts, each a task of its own: factored by many blocks, or by a BLAS on the host, by the same commands in
// every execution.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "examples/multifrontal/device_factors.h"
#include "examples/multifrontal/shaders.h"

namespace multifrontal {

class LargeTasks {
 public:
  // Blocks over which what is done to a large front's contribution is spread.
  static constexpr weft::uint kStrips = 16;
  // Fronts that may be with the BLAS at one time: each takes one of so many copies in turn.
  static constexpr std::size_t kCopies = 2;

  LargeTasks(const Analysis& analysis, const Shaders& shaders, const DeviceTables& tables, LargeFronts way);

  // Commands that factor a task whose children have been added, each to come after the one before. `contributions` is
  // what kernels are given, with the task's own from `offset` on. With the BLAS it uses copy `copy`.
  std::vector<weft::Command> factor(weft::uint task, const weft::BufferView<double>& contributions,
                                    std::uint64_t offset, const weft::BufferView<double>& scratch,
                                    std::size_t copy) const;

  // Before a factorisation, and after it: the pivots that the BLAS replaced.
  void begin(double threshold) {
    state_->threshold = threshold;
    state_->replaced = 0;
  }
  std::uint64_t replaced() const { return state_->replaced; }

  std::uint64_t host_bytes() const;

 private:
  struct State {
    double threshold = 0;
    std::atomic<std::uint64_t> replaced = 0;
  };
  struct Copy {
    std::vector<double> panel, contribution, diagonal;
  };

  std::vector<weft::Command> by_blocks(weft::uint task, const weft::BufferView<double>& contributions,
                                       const weft::BufferView<double>& scratch) const;
  std::vector<weft::Command> by_blas(const Front& front, const weft::BufferView<double>& contribution,
                                     std::size_t copy) const;

  const Analysis& analysis_;
  const Shaders& shaders_;
  const DeviceTables& tables_;
  const LargeFronts way_;
  mutable std::vector<Copy> copies_;
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace multifrontal
