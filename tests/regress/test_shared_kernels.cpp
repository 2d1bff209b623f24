// Shared memory, queues of atomics, vectors of bools, masked swaps, buffers given twice.
#include "tests/regress/ways.h"

#include <algorithm>

using namespace weft;
using namespace weft::test;

TEST_CASE("shared: a tiled transposition") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  constexpr std::uint32_t kSize = 40;  // no multiple of the tile
  const Kernel2D kernel{"transpose", block_size(16, 16), [](BufferVar<float> in, BufferVar<float> out, UInt n) {
                          Shared<float, 256> tile;
                          UInt x = thread_id().x;
                          UInt y = thread_id().y;
                          UInt column = block_id().x * 16u + x;
                          UInt row = block_id().y * 16u + y;
                          $if(column < n && row < n) { tile[y * 16u + x] = in.read(row * n + column); };
                          sync_block();
                          UInt to_column = block_id().y * 16u + x;
                          UInt to_row = block_id().x * 16u + y;
                          $if(to_column < n && to_row < n) { out.write(to_row * n + to_column, tile[x * 16u + y]); };
                        }};
  auto in = run.buffer(table(kSize * kSize, [](std::uint32_t i) { return static_cast<float>(i); }));
  auto out = run.buffer(std::vector<float>(kSize * kSize));
  run.stream() << run.device().compile(kernel)(in, out, kSize).dispatch_blocks(3, 3);
  CHECK(run.values(out.view()) ==
        table(kSize * kSize, [](std::uint32_t i) { return static_cast<float>(i % kSize * kSize + i / kSize); }));
}

TEST_CASE("shared: a queue that lanes append to by an atomic, and read after a barrier") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"queue", block_size(128), [](BufferVar<uint> counts, BufferVar<uint> sums) {
                          Shared<uint> size;
                          Shared<uint, 128> items;
                          UInt lane = thread_id().x;
                          $if(lane == 0u) { size = 0u; };
                          sync_block();
                          $if(lane % 3u == block_id().x) {
                            UInt place = atomic(size).fetch_add(1u);
                            items[place] = lane * lane;
                          };
                          sync_block();
                          $if(lane < size) { sums.atomic(block_id().x).fetch_add(items[lane]); };
                          $if(lane == 0u) { counts.write(block_id().x, size); };
                        }};
  auto counts = run.buffer(std::vector<std::uint32_t>(3));
  auto sums = run.buffer(std::vector<std::uint32_t>(3));
  run.stream() << run.device().compile(kernel)(counts, sums).dispatch(384);
  const auto sum_of = [](std::uint32_t block) {
    std::uint32_t sum = 0;
    for (std::uint32_t lane = block; lane < 128; lane += 3) sum += lane * lane;
    return sum;
  };
  CHECK(run.values(counts.view()) == std::vector<std::uint32_t>{43, 43, 42});
  CHECK(run.values(sums.view()) == table(3, sum_of));
}

TEST_CASE("shared: a queue in a buffer is compacted by atomics over all blocks") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"compact", block_size(64), [](BufferVar<uint> in, BufferVar<uint> out, BufferVar<uint> size) {
                          UInt x = in.read(dispatch_id().x);
                          $if(x % 5u < 2u) { out.write(size.atomic(0u).fetch_add(1u), x); };
                        }};
  const std::vector<std::uint32_t> values = table(1000, [](std::uint32_t i) { return i * 7919 % 10007; });
  std::vector<std::uint32_t> expected;
  std::ranges::copy_if(values, std::back_inserter(expected), [](std::uint32_t x) { return x % 5 < 2; });
  std::ranges::sort(expected);
  auto in = run.buffer(values);
  auto out = run.buffer(std::vector<std::uint32_t>(expected.size()));
  auto size = run.buffer(std::vector<std::uint32_t>(1));
  run.stream() << run.device().compile(kernel)(in, out, size).dispatch(1000);
  std::vector<std::uint32_t> found = run.values(out.view());
  std::ranges::sort(found);
  CHECK(run.values(size.view())[0] == expected.size());
  CHECK(found == expected);
}

TEST_CASE("bools: vectors of them in buffers, locals and shared memory, across a barrier") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"bools", block_size(32), [](BufferVar<bool3> in, BufferVar<bool4> out) {
                          Shared<bool2, 32> tile;
                          UInt lane = thread_id().x;
                          Bool3 mask = in.read(dispatch_id().x);
                          tile[lane] = mask.yz();
                          sync_block();
                          Bool2 other = tile[31u - lane];
                          Bool3 flipped = !mask;
                          out.write(dispatch_id().x,
                                    make_bool4(flipped.x, other.x && mask.x, other.y || mask.z, any(mask)));
                        }};
  const auto mask_of = [](std::uint32_t i) { return bool3((i & 1) != 0, (i & 2) != 0, (i & 4) != 0); };
  auto in = run.buffer(table(32, mask_of));
  auto out = run.buffer(std::vector<bool4>(32));
  run.stream() << run.device().compile(kernel)(in, out).dispatch(32);
  const std::vector<bool4> found = run.values(out.view());
  bool all_right = true;
  for (std::uint32_t i = 0; i < 32; ++i) {
    const bool3 mask = mask_of(i);
    const bool3 other = mask_of(31 - i);
    all_right &= found[i] == bool4(!mask.x, other.y && mask.x, other.z || mask.z, mask.x || mask.y || mask.z);
  }
  CHECK(all_right);
}

TEST_CASE("memory: a masked swap reads before it writes") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"masked_swap", block_size(64), [](BufferVar<float> cells, BufferVar<float> out) {
                          UInt i = dispatch_id().x;
                          Float current = cast<float>(i % 7u);
                          $if(current < cells.read(i)) {
                            Float taken = cells.read(i);
                            cells.write(i, current);
                            current = taken;
                          };
                          out.write(i, current);
                        }};
  const auto cell = [](std::uint32_t i) { return static_cast<float>(i * 5 % 11); };
  const auto current = [](std::uint32_t i) { return static_cast<float>(i % 7); };
  auto cells = run.buffer(table(200, cell));
  auto out = run.buffer(std::vector<float>(200));
  run.stream() << run.device().compile(kernel)(cells, out).dispatch(200);
  CHECK(run.values(cells.view()) == table(200, [&](std::uint32_t i) { return std::min(cell(i), current(i)); }));
  CHECK(run.values(out.view()) == table(200, [&](std::uint32_t i) { return std::max(cell(i), current(i)); }));
}

TEST_CASE("memory: the same buffer given twice") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel1D kernel{"in_place", block_size(64), [](BufferVar<uint> in, BufferVar<uint> out) {
                          UInt i = dispatch_id().x;
                          UInt before = in.read(i);
                          out.write(i, before * 3u);
                          out.write(i, in.read(i) + before);
                        }};
  auto data = run.buffer(table(150, [](std::uint32_t i) { return i; }));
  run.stream() << run.device().compile(kernel)(data, data).dispatch(150);
  CHECK(run.values(data.view()) == table(150, [](std::uint32_t i) { return 4 * i; }));
}
