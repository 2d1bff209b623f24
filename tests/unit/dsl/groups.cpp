// Ids, barriers, warp operations, and what a kernel reports.
#include "record.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("ids: a component records one op, the whole a vector") {
  CHECK(body([](BufferVar<uint> b) { b.write(dispatch_id().x, block_size().y * grid_size().z); }) ==
        lines("%0 = mul block_size.y, grid_size.z", "write %param_0[dispatch_id.x], %0"));
  CHECK(body([] { UInt3 id = thread_id(); }) ==
        lines("%0 = local vec<u32, 3>", "%1 = make vec<u32, 3> thread_id.x, thread_id.y, thread_id.z", "store %0, %1"));
  CHECK(body([] { keep(kernel_id() + block_id().x); }) == "%0 = add kernel_id, block_id.x");
}

TEST_CASE("ids: thread_index counts x fastest") {
  CHECK(body([] { keep(thread_index() * 1u); }) == lines("%0 = mul block_size.y, thread_id.z",
                                                         "%1 = add thread_id.y, %0", "%2 = mul block_size.x, %1",
                                                         "%3 = add thread_id.x, %2", "%4 = mul %3, 1"));
}

TEST_CASE("block: barrier and clock") {
  CHECK(body([] {
          sync_block();
          keep(clock_ns() * 1u);
        }) == lines("barrier", "%0 = mul clock, 1"));
}

TEST_CASE("warp: each operation records its op") {
  CHECK(body(warp_size(16),
             [](Expr<int> x, Expr<bool> b, Expr<float2> v, Expr<uint> lane) {
               warp_active_all(b);
               warp_active_any(b);
               warp_active_all_equal(v);
               warp_active_ballot(b);
               warp_active_bit_and(x);
               warp_active_bit_or(x);
               warp_active_bit_xor(x);
               warp_active_sum(v);
               warp_active_product(x);
               warp_active_min(x);
               warp_active_max(x);
               warp_prefix_sum(x);
               warp_prefix_product(x);
               warp_prefix_count(b);
               warp_read_lane(v, lane);
               warp_read_first_active_lane(v);
               warp_is_first_active_lane();
               warp_active_count_bits(b);
               keep(warp_size() + warp_lane_id());
             }) == lines("warp_all %param_1", "warp_any %param_1", "warp_all_equal %param_2", "warp_ballot %param_1",
                         "warp_and %param_0", "warp_or %param_0", "warp_xor %param_0", "warp_sum %param_2",
                         "warp_product %param_0", "warp_min %param_0", "warp_max %param_0", "warp_prefix_sum %param_0",
                         "warp_prefix_product %param_0", "warp_prefix_count %param_1", "warp_read %param_2, %param_3",
                         "warp_read_first %param_2", "warp_is_first", "%17 = warp_ballot %param_1",
                         "%18 = popcount %17", "%19 = add warp_size, warp_lane"));
}

TEST_CASE("print: vectors are split, and places counted") {
  CHECK(body([](Expr<float3> v, Expr<uint> i) { print("{} at {} {x}", v, i); }) ==
        lines("print \"({}, {}, {}) at {} {x}\", %param_0.x, %param_0.y, %param_0.z, %param_1"));
  CHECK(body([] { print("hello"); }) == "print \"hello\"");
  CHECK(mistake([] { Kernel1D{"k", [] { print("{} {}", 1); }}; }).message ==
        "print has 1 value for 2 places {} in its format");
}

TEST_CASE("assert: the macro gives the condition's text") {
  CHECK(body([](Expr<uint> index, BufferVar<int> b) { $assert(index < b.size()); }) ==
        lines("%0 = buffer_size %param_1", "%1 = cast u64 %param_0", "%2 = lt %1, %0",
              "assert %2, \"index < b.size()\""));
  CHECK(body([](Expr<bool> c) { device_assert(c, "wrong"); }) == "assert %param_0, \"wrong\"");
  CHECK(body([](Expr<bool> c) {
          $if(c) { unreachable("no such kind"); };
        }) == lines("if %param_0 {", "unreachable \"no such kind\"", "}"));
}
