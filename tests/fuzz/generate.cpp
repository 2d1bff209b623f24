#include "tests/fuzz/generate.h"

#include "codegen/ir/builder.h"
#include "tests/fuzz/expressions.h"
#include "tests/fuzz/random.h"
#include "tests/fuzz/statements.h"

namespace weft::fuzz {

using ir::OpCode;
using ir::ValueId;

namespace {

constexpr std::array<std::uint32_t, 3> kBlocks[] = {{1, 1, 1},  {5, 1, 1},  {8, 1, 1},   {16, 1, 1}, {33, 1, 1},
                                                    {64, 1, 1}, {8, 8, 1},  {5, 7, 1},   {4, 4, 2},  {16, 4, 1},
                                                    {1, 32, 1}, {48, 1, 1}, {128, 1, 1}, {2, 3, 4},  {32, 2, 1}};

ValueId add_parameter(ir::Module& m, ir::Function& f, ir::TypeId type, const char* name) {
  return f.add_parameter(type, m.string(name));
}

// (z * size.y + y) * size.x + x
ValueId linear_dispatch_id(ir::Builder& b) {
  const auto id = [&](OpCode code, std::uint64_t d) { return b.emit(code, {}, d); };
  const ValueId rows = b.emit(
      OpCode::add,
      {b.emit(OpCode::mul, {id(OpCode::dispatch_id, 2), id(OpCode::dispatch_size, 1)}), id(OpCode::dispatch_id, 1)});
  return b.emit(OpCode::add, {b.emit(OpCode::mul, {rows, id(OpCode::dispatch_size, 0)}), id(OpCode::dispatch_id, 0)});
}

// Every lane fills the shared array with the same, so that no cell is unwritten whatever lanes exist.
void fill_shared(ir::Builder& b, ValueId tile) {
  for (std::uint32_t i = 0; i < kSharedCells; ++i) {
    b.store(b.emit(OpCode::element, {tile, b.constant_u32(i)}), b.constant_u32(i * 2654435761U));
  }
  b.emit(OpCode::barrier);
}

}  // namespace

Generated generate_kernel(std::uint64_t seed) {
  Random random(seed);
  auto module = std::make_unique<ir::Module>();
  const ir::TypeId words = module->types.buffer(ir::kU32);
  std::vector<ir::FunctionId> callables = generate_callables(*module, random);
  ir::Function& f = module->add_function(ir::FunctionKind::kernel, "fuzz");
  f.attributes.block_size = random.pick(kBlocks);
  f.attributes.dimensions = 3;
  f.attributes.math = random.once_in(4) ? ir::MathMode::precise : ir::MathMode::strict;
  Environment e;
  e.in = add_parameter(*module, f, words, "in");
  e.floats = add_parameter(*module, f, module->types.buffer(ir::kF32), "floats");
  e.out = add_parameter(*module, f, words, "out");
  e.counts = add_parameter(*module, f, words, "counts");
  e.n = add_parameter(*module, f, ir::kU32, "n");
  ir::Builder b(*module, f);
  e.tile = b.emit(OpCode::shared, {}, 0, module->types.array(ir::kU32, kSharedCells));
  e.own = b.emit(OpCode::mul, {linear_dispatch_id(b), b.constant_u32(kWordsPerLane)});
  e.callables = std::move(callables);
  fill_shared(b, e.tile);
  Statements(b, random, e).kernel_body();

  Generated result{std::move(module), {}};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t extent = f.attributes.block_size[d];
    result.dispatch_size[d] = extent == 1 ? 1 + random.below(d == 0 ? 40 : 2) : 1 + random.below(2 * extent + 3);
  }
  return result;
}

}  // namespace weft::fuzz
