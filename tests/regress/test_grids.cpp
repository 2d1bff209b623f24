// Sizes of dispatches: beyond 2^32 lanes, zero, no multiple of anything.
#include "tests/regress/ways.h"

#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

// Counts each lane at its place, and the places that lanes had in blocks.
template <typename Kernel>
std::vector<std::uint32_t> visits(Runner& run, const Kernel& kernel, std::array<std::uint32_t, 3> size) {
  auto out = run.buffer(std::vector<std::uint32_t>(size[0] * size[1] * size[2] + 1));
  run.stream() << run.device().compile(kernel)(out).dispatch(size[0], size[1], size[2]);
  return run.values(out.view());
}

// Each place once, and nothing beyond.
std::vector<std::uint32_t> once_each(std::array<std::uint32_t, 3> size) {
  std::vector<std::uint32_t> expected(size[0] * size[1] * size[2] + 1, 1);
  expected.back() = 0;
  return expected;
}

constexpr auto kCountLane = [](BufferVar<uint> out) {
  UInt3 id = dispatch_id();
  UInt3 size = dispatch_size();
  out.atomic(id.x + size.x * (id.y + size.y * id.z)).fetch_add(1u);
};

}  // namespace

TEST_CASE("grid: beyond 2^32 lanes every block runs once") {
  Runner run(Way{"cpu", GENERATE(16U, 32U)});
  INFO(run.way());
  // 1,024 lanes a block, 70,000 x 70 blocks: 5,017,600,000 lanes, of which one in a block counts.
  const Kernel2D kernel{"far", block_size(1024, 1), [](BufferVar<std::uint64_t> sums) {
                          $if(thread_id().x == 0u) {
                            Expr<std::uint64_t> block =
                                cast<std::uint64_t>(block_id().x) +
                                cast<std::uint64_t>(grid_size().x) * cast<std::uint64_t>(block_id().y);
                            $if(block % 64u == 0u) { sums.atomic(0u).fetch_add(block); };
                            $if(block == 4'899'999u) { sums.write(1u, block); };
                          };
                        }};
  auto sums = run.buffer(std::vector<std::uint64_t>(2));
  run.stream() << run.device().compile(kernel)(sums).dispatch(std::uint64_t{1024} * 70'000, 70);
  std::uint64_t expected = 0;
  for (std::uint64_t block = 0; block < 4'900'000; block += 64) expected += block;
  CHECK(run.values(sums.view()) == std::vector<std::uint64_t>{expected, 4'899'999});
}

TEST_CASE("grid: sizes that are no multiple of block or pack") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  for (const std::uint32_t size : {1U, 3U, 15U, 16U, 17U, 63U, 64U, 65U, 100U, 129U}) {
    INFO(size << " lanes");
    CHECK(visits(run, Kernel1D{"line", block_size(64), kCountLane}, {size, 1, 1}) == once_each({size, 1, 1}));
    CHECK(visits(run, Kernel1D{"odd_line", block_size(37), kCountLane}, {size, 1, 1}) == once_each({size, 1, 1}));
  }
}

TEST_CASE("grid: blocks of 8 x 8, of 5 x 7 and of 3 x 5 x 2") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  for (const std::array<std::uint32_t, 3> size :
       {std::array{8U, 8U, 1U}, std::array{17U, 9U, 1U}, std::array{35U, 22U, 1U}}) {
    INFO(size[0] << " x " << size[1] << " lanes");
    CHECK(visits(run, Kernel2D{"square", block_size(8, 8), kCountLane}, size) == once_each(size));
    CHECK(visits(run, Kernel2D{"odd", block_size(5, 7), kCountLane}, size) == once_each(size));
  }
  for (const std::array<std::uint32_t, 3> size : {std::array{3U, 5U, 2U}, std::array{10U, 4U, 7U}}) {
    CHECK(visits(run, Kernel3D{"cuboid", block_size(3, 5, 2), kCountLane}, size) == once_each(size));
  }
}

TEST_CASE("grid: affine accesses in narrow blocks go to their own rows") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Kernel2D kernel{"rows", block_size(8, 8), [](BufferVar<uint> in, BufferVar<uint> out) {
                          UInt i = dispatch_id().x + dispatch_size().x * dispatch_id().y;
                          out.write(i, in.read(i) * 2u + thread_id().y);
                        }};
  auto in = run.buffer(table(20 * 13, [](std::uint32_t i) { return i * 3; }));
  auto out = run.buffer(std::vector<std::uint32_t>(20 * 13));
  run.stream() << run.device().compile(kernel)(in, out).dispatch(20, 13);
  CHECK(run.values(out.view()) == table(20 * 13, [](std::uint32_t i) { return i * 6 + i / 20 % 8; }));
}

TEST_CASE("grid: zero in any dimension runs nothing, in any way") {
  Runner run(WEFT_EACH_WAY);
  INFO(run.way());
  const Shader shader = run.device().compile(Kernel3D{"none", block_size(4, 4, 4), kCountLane});
  auto out = run.buffer(std::vector<std::uint32_t>(1));
  for (const std::array<std::uint32_t, 3> size :
       {std::array{0U, 4U, 4U}, std::array{4U, 0U, 4U}, std::array{4U, 4U, 0U}}) {
    run.stream() << shader(out).dispatch(size[0], size[1], size[2])
                 << shader(out).dispatch_blocks(size[0], size[1], size[2]);
  }
  CHECK(run.values(out.view())[0] == 0);
}
