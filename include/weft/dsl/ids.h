// Where a lane is, and what it does together with the others of its block or warp.
#pragma once

#include <weft/dsl/value.h>

namespace weft {

#define WEFT_DSL_DIMENSIONS(name) \
  inline Expr<uint3> name() { return Expr<uint3>(dsl::At{dsl::dimensions(#name)}); }
WEFT_DSL_DIMENSIONS(thread_id)      // the lane's place in its block
WEFT_DSL_DIMENSIONS(block_id)       // the block's place in the grid
WEFT_DSL_DIMENSIONS(dispatch_id)    // block_id * block_size + thread_id
WEFT_DSL_DIMENSIONS(block_size)     // lanes of a block
WEFT_DSL_DIMENSIONS(grid_size)      // blocks of the grid
WEFT_DSL_DIMENSIONS(dispatch_size)  // lanes of the dispatch
#undef WEFT_DSL_DIMENSIONS

// The lane's number in its block, x fastest.
inline Expr<uint> thread_index() {
  return thread_id().x + block_size().x * (thread_id().y + block_size().y * thread_id().z);
}

#define WEFT_DSL_NULLARY(name, op, T)                                    \
  inline Expr<T> name(dsl::Where where = dsl::Where::current()) {        \
    return Expr<T>(dsl::At{dsl::value_node(dsl::apply(op, where, {}))}); \
  }
WEFT_DSL_NULLARY(kernel_id, "kernel_id", uint)      // number of the dispatch in its command
WEFT_DSL_NULLARY(clock_ns, "clock", std::uint64_t)  // nanoseconds of a steady clock
WEFT_DSL_NULLARY(warp_size, "warp_size", uint)      // lanes of a warp
WEFT_DSL_NULLARY(warp_lane_id, "warp_lane", uint)   // the lane's place in its warp
WEFT_DSL_NULLARY(warp_is_first_active_lane, "warp_is_first", bool)
#undef WEFT_DSL_NULLARY

// Waits for every lane of the block that has not returned; orders shared and buffer memory within the block.
inline void sync_block(dsl::Where where = dsl::Where::current()) { dsl::apply("barrier", where, {}); }

// A barrier of all blocks of the grid: waits for every lane of each that has not returned, and orders buffer memory
// between them. Only in kernels that are dispatched cooperatively.
inline void grid_sync(dsl::Where where = dsl::Where::current()) { dsl::apply("grid_sync", where, {}); }

// --- warp operations: over the active lanes of the warp. Reading a lane that is not active gives 0.
#define WEFT_DSL_WARP(name, op, Kind, Result)                                                          \
  template <dsl::Operands X>                                                                           \
    requires dsl::Kind<dsl::value_t<X>>                                                                \
  auto name(X&& x, dsl::Where where = dsl::Where::current()) {                                         \
    using T = dsl::value_t<X>;                                                                         \
    return Expr<Result>(dsl::At{dsl::value_node(dsl::apply(op, where, {dsl::operand<T>(x, where)}))}); \
  }
WEFT_DSL_WARP(warp_active_all, "warp_all", BooleanScalar, bool)
WEFT_DSL_WARP(warp_active_any, "warp_any", BooleanScalar, bool)
WEFT_DSL_WARP(warp_active_all_equal, "warp_all_equal", Componentwise, bool)
WEFT_DSL_WARP(warp_active_ballot, "warp_ballot", BooleanScalar, uint)
WEFT_DSL_WARP(warp_active_bit_and, "warp_and", Bits, T)
WEFT_DSL_WARP(warp_active_bit_or, "warp_or", Bits, T)
WEFT_DSL_WARP(warp_active_bit_xor, "warp_xor", Bits, T)
WEFT_DSL_WARP(warp_active_sum, "warp_sum", Numeric, T)
WEFT_DSL_WARP(warp_active_product, "warp_product", Numeric, T)
WEFT_DSL_WARP(warp_active_min, "warp_min", Numeric, T)
WEFT_DSL_WARP(warp_active_max, "warp_max", Numeric, T)
WEFT_DSL_WARP(warp_prefix_sum, "warp_prefix_sum", Numeric, T)
WEFT_DSL_WARP(warp_prefix_product, "warp_prefix_product", Numeric, T)
WEFT_DSL_WARP(warp_prefix_count, "warp_prefix_count", BooleanScalar, uint)
WEFT_DSL_WARP(warp_read_first_active_lane, "warp_read_first", Componentwise, T)
#undef WEFT_DSL_WARP

// The number of active lanes where the condition holds.
inline Expr<uint> warp_active_count_bits(dsl::Condition condition) {
  const dsl::Operand ballot =
      dsl::operand_at<uint>(dsl::value_node(dsl::apply("warp_ballot", condition.where, {condition})), condition.where);
  return Expr<uint>(dsl::At{dsl::value_node(dsl::apply("popcount", condition.where, {ballot}))});
}

// x of another lane, which may differ per lane.
template <dsl::Operands X>
auto warp_read_lane(X&& x, dsl::Index lane) {
  using T = dsl::value_t<X>;
  return Expr<T>(dsl::At{dsl::value_node(dsl::apply("warp_read", lane.where, {dsl::operand<T>(x, lane.where), lane}))});
}

}  // namespace weft
