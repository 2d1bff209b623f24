// Random statements: variables, memory, control flow, barriers, calls.
#pragma once

#include <vector>

#include "codegen/ir/builder.h"
#include "tests/fuzz/expressions.h"
#include "tests/fuzz/random.h"

namespace weft::fuzz {

inline constexpr std::uint32_t kSharedCells = 37;

// What a kernel's statements can reach.
struct Environment {
  ir::ValueId in, floats, out, counts, n, tile;
  ir::ValueId own;  // the lane's first element of `out`
  std::vector<ir::FunctionId> callables;
};

// A few callables, each `u32 (u32, ref<u32>)`.
[[nodiscard]] std::vector<ir::FunctionId> generate_callables(ir::Module& module, Random& random);

class Statements {
 public:
  Statements(ir::Builder& b, Random& random, const Environment& environment)
      : b_(b), random_(random), env_(environment), x_(b, random) {}

  void kernel_body();
  void callable_body(ir::Function& callable);

 private:
  struct Variable {
    ir::ValueId reference;
    ir::TypeId type;
    std::uint32_t elements;  // of an array; 1 otherwise
  };
  // Where statements stand.
  struct Place {
    int depth = 0;
    bool in_loop = false;
    bool block_uniform = false;    // all lanes that have not returned come here together
    bool divergent_exits = false;  // some lanes may leave the innermost loop before others
  };

  void block(Place place, std::uint32_t count);
  void statement(Place place);
  // Emits into another region; what is made there is forgotten after it.
  template <class F>
  void inside(ir::RegionId region, F emit) {
    const ir::RegionId outer = b_.region();
    const std::size_t values = x_.mark();
    const std::size_t variables = variables_.size();
    b_.set_region(region);
    emit();
    b_.set_region(outer);
    x_.forget(values);
    variables_.resize(variables);
  }
  void nested(ir::RegionId region, Place place);
  void declare();
  void assign();
  void load_variable();
  void load_buffer();
  void load_neighbour();
  // Adds to one of the lane's own elements what some or all variables hold.
  void write_out(bool all = false);
  void exchange();
  void branch(Place place);
  void loop(Place place);
  void choose(Place place);
  void leave(Place place);
  void call();
  void count();
  [[nodiscard]] ir::ValueId place_of(const Variable& v);
  // True for some lanes, or for all or none of the block's.
  [[nodiscard]] ir::ValueId condition(bool uniform);

  ir::Builder& b_;
  Random& random_;
  Environment env_;
  Expressions x_;
  std::vector<Variable> variables_;
  bool in_callable_ = false;
};

}  // namespace weft::fuzz
