// Proofs that an index is in range.
//
// An upper bound of an integer value follows from its expression; of a load of a local from everything that is stored
// to it; and, while the lowering is inside a region, from the conditions under which that region runs: `if a < b`, the
// condition of a counted loop, `i < buffer_size`. Lanes for which such a condition does not hold are off there, so
// their values do not matter.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/passes/shape.h"

namespace weft::lower {

class Ranges {
 public:
  Ranges(const ir::Module& module, const ir::Function& function, const passes::Shapes& shapes);

  // A bound that a value, read as an unsigned number of its width, never exceeds in the active lanes; nothing if none
  // is known. Looks a fixed number of steps into the expression.
  [[nodiscard]] std::optional<std::uint64_t> upper_bound(ir::ValueId value) const;
  // The same for all lanes, active or not: conditions bound only what is the same in every lane.
  [[nodiscard]] std::optional<std::uint64_t> upper_bound_of_all_lanes(ir::ValueId value) const;
  // Whether an index is below the number of elements of a buffer.
  [[nodiscard]] bool is_below_size(ir::ValueId index, ir::ValueId buffer) const;

  // To be called when a load of a local is lowered: its bound is that of the local at this point.
  void note_load(const ir::Op& load);

  // What holds until the scope ends.
  class Scope {
   public:
    explicit Scope(Ranges& ranges) : ranges_(ranges), mark_(ranges.assumed_.size()) {}
    ~Scope() { ranges_.forget(mark_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Ranges& ranges_;
    std::size_t mark_;
  };
  // In the current scope the condition is known to be true or false.
  void assume(ir::ValueId condition, bool truth);
  // In the current scope, the body or update of a loop, its condition held when the iteration began.
  void assume_loop(ir::OpId loop);

 private:
  using Bound = std::optional<std::uint64_t>;
  // A fact that was assumed, and what it replaced.
  struct Assumed {
    enum class Kind : std::uint8_t { value, local, size } kind;
    ir::ValueId subject;
    ir::ValueId buffer;
    Bound before;
  };

  void bound_locals();
  [[nodiscard]] Bound stores_bound(ir::ValueId root, std::uint64_t assumed);
  void limit(ir::ValueId value, Bound bound);
  void assume_below(ir::ValueId a, ir::ValueId b, bool or_equal);
  void assume_below_size(ir::ValueId index, ir::ValueId size);
  void forget(std::size_t mark);

  // How far to look, and for which lanes the bound is to hold.
  struct Search {
    int depth;
    bool all_lanes = false;
  };
  [[nodiscard]] Bound of(ir::ValueId value, Search search) const;
  [[nodiscard]] Bound of_op(const ir::Op& op, Search search) const;
  [[nodiscard]] Bound of_cast(const ir::Op& op, Bound a) const;
  [[nodiscard]] Bound of_shift(const ir::Op& op, Bound a) const;
  [[nodiscard]] Bound operand(const ir::Op& op, std::size_t i, Search search) const {
    return of(f_.operand(op, i), search);
  }
  [[nodiscard]] bool is_unsigned(ir::TypeId type) const;
  [[nodiscard]] std::uint64_t largest(ir::TypeId type) const;

  const ir::Module& module_;
  const ir::Function& f_;
  const passes::Shapes& shapes_;
  std::unordered_map<ir::ValueId, std::vector<ir::OpId>> stores_;  // by local: those through its own reference
  std::unordered_set<ir::ValueId> opaque_;                         // locals used in other ways than load and store
  std::unordered_map<ir::ValueId, std::uint64_t> values_;
  std::unordered_map<ir::ValueId, std::uint64_t> locals_;
  std::vector<std::pair<ir::ValueId, ir::ValueId>> below_size_;  // index, buffer
  std::vector<Assumed> assumed_;
};

}  // namespace weft::lower
