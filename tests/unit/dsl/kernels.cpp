// Whole kernels: parameters, attributes, names.
#include "record.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("kernel: parameters keep order, types and names") {
  const Kernel2D k{"kinetic", block_size(8, 4), names("in", "raw", "dt", "scale"),
                   [](BufferVar<float3>, ByteBufferVar, Float, Expr<uint>) {}};
  const std::string text = ir::print(*k.module());
  CHECK(k.name() == "kinetic");
  CHECK(
      text.find("kernel @kinetic(%in: buffer<vec<f32, 3>>, %raw: byte_buffer, %dt: f32, %scale: u32) block(8, 4) {") !=
      std::string::npos);
}

TEST_CASE("kernel: a tree reduction is recorded op by op") {
  CHECK(body([](BufferVar<float> in, BufferVar<float> out) {
          Shared<float, 256> tile;
          UInt lane = thread_id().x;
          tile[lane] = in.read(dispatch_id().x);
          sync_block();
          UInt d = 128u;
          $while(d > 0u) {
            $if(lane < d) { tile[lane] += tile[lane + d]; };
            sync_block();
            d >>= 1u;
          };
          $if(lane == 0u) { out.write(block_id().x, tile[0u]); };
        }) == lines("%0 = shared array<f32, 256>",        //
                    "%1 = local u32",                     //
                    "store %1, thread_id.x",              //
                    "%2 = read %param_0[dispatch_id.x]",  //
                    "%3 = load %1",                       //
                    "store %0[%3], %2",                   //
                    "barrier",                            //
                    "%4 = local u32",                     //
                    "store %4, 128",                      //
                    "loop {",                             //
                    "%5 = load %4",                       //
                    "%6 = gt %5, 0",                      //
                    "yield %6",                           //
                    "} body {",                           //
                    "%7 = load %1",                       //
                    "%8 = load %4",                       //
                    "%9 = lt %7, %8",                     //
                    "if %9 {",                            //
                    "%10 = load %1",                      //
                    "%11 = load %4",                      //
                    "%12 = add %10, %11",                 //
                    "%13 = element %0[%12]",              //
                    "%14 = load %1",                      //
                    "%15 = element %0[%14]",              //
                    "%16 = load %13",                     //
                    "%17 = load %15",                     //
                    "%18 = add %17, %16",                 //
                    "store %15, %18",                     //
                    "}",                                  //
                    "barrier",                            //
                    "%19 = load %4",                      //
                    "%20 = shr %19, 1",                   //
                    "store %4, %20",                      //
                    "}",                                  //
                    "%21 = load %1",                      //
                    "%22 = eq %21, 0",                    //
                    "if %22 {",                           //
                    "%23 = element %0[0]",                //
                    "%24 = block_id.x",                   //
                    "%25 = load %23",                     //
                    "write %param_1[%24], %25",           //
                    "}"));
}
