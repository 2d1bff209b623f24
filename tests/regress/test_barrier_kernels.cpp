// Barriers where compilers are known to get them wrong. Every kernel here is valid, and every value is known.
#include "tests/regress/ways.h"

#include <numeric>

using namespace weft;
using namespace weft::test;

TEST_CASE("barrier: behind a condition that is known at run time only") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"conditional", block_size(64), [](BufferVar<uint> flags, BufferVar<uint> out) {
                          Shared<uint, 64> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = lane;
                          $if(flags.read(block_id().x) != 0u) {
                            sync_block();
                            UInt other = tile[63u - lane];
                            sync_block();
                            tile[lane] = other;
                          };
                          out.write(dispatch_id().x, tile[lane]);
                        }};
  auto flags = run.buffer<std::uint32_t>({1, 0, 1});
  auto out = run.buffer(std::vector<std::uint32_t>(192));
  run.stream() << run.device().compile(kernel)(flags, out).dispatch(192);
  CHECK(run.values(out.view()) == table(192, [](std::uint32_t i) { return i / 64 == 1 ? i % 64 : 63 - i % 64; }));
}

TEST_CASE("barrier: trip counts that are equal in all lanes, though nobody can prove it") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"equal_trips", block_size(64), [](BufferVar<uint> trips, BufferVar<uint> out) {
                          Shared<uint, 64> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = lane;
                          $for(i, trips.read(dispatch_id().x)) {
                            sync_block();
                            UInt next = tile[(lane + 1u) % 64u];
                            sync_block();
                            tile[lane] = next + i;
                          };
                          out.write(dispatch_id().x, tile[lane]);
                        }};
  auto trips = run.buffer(std::vector<std::uint32_t>(64, 5));
  auto out = run.buffer(std::vector<std::uint32_t>(64));
  run.stream() << run.device().compile(kernel)(trips, out).dispatch(64);
  CHECK(run.values(out.view()) == table(64, [](std::uint32_t i) { return (i + 5) % 64 + 10; }));
}

TEST_CASE("barrier: that no lane reaches, in a loop of different trip counts") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"never", block_size(64), [](UInt flag, BufferVar<uint> out) {
                          UInt sum = 0u;
                          $for(i, thread_id().x) {
                            $if(flag != 0u) { sync_block(); };
                            sum += i;
                          };
                          sync_block();
                          out.write(dispatch_id().x, sum);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(64));
  run.stream() << run.device().compile(kernel)(0U, out).dispatch(64);
  CHECK(run.values(out.view()) == table(64, [](std::uint32_t i) { return i == 0 ? 0 : i * (i - 1) / 2; }));
}

TEST_CASE("barrier: in nested loops, behind conditions that are the same in the block") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"nested", block_size(32), [](BufferVar<uint> out) {
                          Shared<uint, 32> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = lane;
                          $for(i, 4u) {
                            $for(j, 3u) {
                              $if((i + j + block_id().x) % 2u == 0u) {
                                sync_block();
                                UInt x = tile[(lane + 1u) % 32u];
                                sync_block();
                                tile[lane] = x;
                              }
                              $else { tile[lane] += 32u; };
                            };
                          };
                          sync_block();
                          out.write(dispatch_id().x, tile[lane]);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(64));
  run.stream() << run.device().compile(kernel)(out).dispatch(64);
  CHECK(run.values(out.view()) == table(64, [](std::uint32_t i) { return (i % 32 + 6) % 32 + 6 * 32; }));
}

TEST_CASE("barrier: lanes that returned before count as arrived") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"early_return", block_size(64), [](BufferVar<uint> out) {
                          Shared<uint, 64> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = 100u + lane;
                          $if(lane % 3u == 0u) { $return(); };
                          sync_block();
                          $if(lane > 40u) { $return(); };
                          sync_block();
                          out.write(lane, tile[63u - lane]);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(64, 9));
  run.stream() << run.device().compile(kernel)(out).dispatch(64);
  CHECK(run.values(out.view()) == table(64, [](std::uint32_t i) { return i % 3 == 0 || i > 40 ? 9 : 163 - i; }));
}

TEST_CASE("barrier: a tree reduction written as while (d < n)") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"tree", block_size(128), [](BufferVar<uint> in, BufferVar<uint> out) {
                          Shared<uint, 128> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = in.read(dispatch_id().x);
                          sync_block();
                          UInt d = 1u;
                          $while(d < 128u) {
                            $if(lane % (d * 2u) == 0u) { tile[lane] += tile[lane + d]; };
                            sync_block();
                            d *= 2u;
                          };
                          $if(lane == 0u) { out.write(block_id().x, tile[0u]); };
                        }};
  auto in = run.buffer(table(512, [](std::uint32_t i) { return i * i; }));
  auto out = run.buffer(std::vector<std::uint32_t>(4));
  run.stream() << run.device().compile(kernel)(in, out).dispatch(512);
  CHECK(run.values(out.view()) == table(4, [](std::uint32_t block) {
          std::uint32_t sum = 0;
          for (std::uint32_t i = block * 128; i < block * 128 + 128; ++i) sum += i * i;
          return sum;
        }));
}

TEST_CASE("barrier: a shared cell that one lane writes after it") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"one_writer", block_size(64), [](BufferVar<uint> out) {
                          Shared<uint> cell;
                          UInt sum = 0u;
                          $for(i, 5u) {
                            $if(thread_id().x == i * 7u) { cell = i * 10u + block_id().x; };
                            sync_block();
                            sum += cell;
                            sync_block();
                          };
                          out.write(dispatch_id().x, sum);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(128));
  run.stream() << run.device().compile(kernel)(out).dispatch(128);
  CHECK(run.values(out.view()) == table(128, [](std::uint32_t i) { return 100 + 5 * (i / 64); }));
}

TEST_CASE("barrier: a block of 256 with 16 lanes dispatched, 100 times") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"few_lanes", block_size(256), [](BufferVar<uint> data) {
                          Shared<uint, 256> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = data.read(lane);
                          sync_block();
                          data.write(lane, tile[15u - lane] + 1u);
                        }};
  auto data = run.buffer(table(17, [](std::uint32_t i) { return i; }));
  const Shader shader = run.device().compile(kernel);
  for (int i = 0; i < 100; ++i) run.stream() << shader(data).dispatch(16);
  CHECK(run.values(data.view()) == table(17, [](std::uint32_t i) { return i == 16 ? 16 : i + 100; }));
}

TEST_CASE("barrier: a block of 2,048 lanes") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"many_lanes", block_size(2048), [](BufferVar<uint> out) {
                          Shared<uint, 2048> tile;
                          UInt lane = thread_id().x;
                          tile[lane] = lane * 3u;
                          sync_block();
                          UInt x = tile[2047u - lane];
                          sync_block();
                          tile[lane] = x + 1u;
                          sync_block();
                          out.write(dispatch_id().x, tile[(lane + 1000u) % 2048u]);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(4096));
  run.stream() << run.device().compile(kernel)(out).dispatch(4096);
  CHECK(run.values(out.view()) ==
        table(4096, [](std::uint32_t i) { return (2047 - (i % 2048 + 1000) % 2048) * 3 + 1; }));
}

TEST_CASE("barrier: 256 lanes of 72 KiB each") {
  Runner run(WEFT_EACH_COMPILED_WAY);
  INFO(run.way());
  const Kernel1D kernel{"large_frames", block_size(256), [](BufferVar<uint> out, UInt seed) {
                          Var<std::array<uint, 18432>> data;
                          UInt lane = dispatch_id().x;
                          $for(i, 18432u) { data[i] = i * seed + lane; };
                          sync_block();
                          UInt sum = 0u;
                          $for(i, 18432u) { sum += data[i] * (i + 1u); };
                          out.write(lane, sum);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(256));
  run.stream() << run.device().compile(kernel)(out, 12345U).dispatch(256);
  CHECK(run.values(out.view()) == table(256, [](std::uint32_t lane) {
          std::uint32_t sum = 0;
          for (std::uint32_t i = 0; i < 18432; ++i) sum += (i * 12345 + lane) * (i + 1);
          return sum;
        }));
}

TEST_CASE("barrier: 128 of them in one kernel") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"many_barriers", block_size(32), [](BufferVar<uint> out) {
                          Shared<uint, 32> even;
                          Shared<uint, 32> odd;
                          UInt lane = thread_id().x;
                          even[lane] = lane;
                          for (std::uint32_t i = 0; i < 128; ++i) {
                            sync_block();
                            UInt next =
                                i % 2 == 0 ? Expr<uint>(even[(lane + 1u) % 32u]) : Expr<uint>(odd[(lane + 1u) % 32u]);
                            if (i % 2 == 0) {
                              odd[lane] = next + i;
                            } else {
                              even[lane] = next + i;
                            }
                          }
                          out.write(lane, even[lane]);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(32));
  run.stream() << run.device().compile(kernel)(out).dispatch(32);
  CHECK(run.values(out.view()) == table(32, [](std::uint32_t i) { return i + 127 * 128 / 2; }));
}

TEST_CASE("barrier: a reference to a local in a callable that waits") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Callable exchange{"exchange", [](Var<uint>& cell, Var<std::array<uint, 32>>& tile) {
                            tile[thread_id().x] = cell;
                            sync_block();
                            cell = tile[31u - thread_id().x] + 1u;
                            sync_block();
                          }};
  const Kernel1D kernel{"by_reference", block_size(32), [&](BufferVar<uint> out) {
                          Shared<uint, 32> tile;
                          UInt cell = thread_id().x * 2u;
                          UInt untouched = thread_id().x + 7u;
                          $for(i, 3u) { exchange(cell, tile); };
                          out.write(dispatch_id().x, cell * 100u + untouched);
                        }};
  auto out = run.buffer(std::vector<std::uint32_t>(32));
  run.stream() << run.device().compile(kernel)(out).dispatch(32);
  CHECK(run.values(out.view()) == table(32, [](std::uint32_t i) { return ((31 - i) * 2 + 3) * 100 + i + 7; }));
}

TEST_CASE("barrier: in the cases of a switch") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"in_switch", block_size(32), [](BufferVar<uint> kinds, BufferVar<uint> out) {
                          Shared<uint, 32> tile;
                          UInt lane = thread_id().x;
                          UInt shift = 0u;
                          tile[lane] = lane;
                          $switch(kinds.read(block_id().x)) {
                            $case(0) {
                              sync_block();
                              shift = 1u;
                            };
                            $case(1, 2) {
                              sync_block();
                              UInt x = tile[31u - lane];
                              sync_block();
                              tile[lane] = x;
                              sync_block();
                            };
                            $default { sync_block(); };
                          };
                          out.write(dispatch_id().x, tile[(lane + shift) % 32u]);
                        }};
  auto kinds = run.buffer<std::uint32_t>({0, 2, 9});
  auto out = run.buffer(std::vector<std::uint32_t>(96));
  run.stream() << run.device().compile(kernel)(kinds, out).dispatch(96);
  CHECK(run.values(out.view()) == table(96, [](std::uint32_t i) {
          const std::uint32_t lane = i % 32;
          return i < 32 ? (lane + 1) % 32 : i < 64 ? 31 - lane : lane;
        }));
}
