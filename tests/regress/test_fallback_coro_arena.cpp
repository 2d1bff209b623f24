// The frame arena by itself, asked through weft_arena_frames and weft_arena_allocate, the functions that kernels call.
#include "tests/regress/arena_worker.h"
#include "tests/unit/death.h"

#include <thread>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

TEST_CASE("arena: 4.5 MiB of live frames make exactly one overflow chunk") {
  Worker worker;
  worker.next_block();
  const auto frames = worker.frames(kFrame, 64, 64);
  REQUIRE(frames.size() == 64);
  CHECK(worker.usage().overflow_chunks == 1);
  CHECK(worker.usage().heap_allocations == 1);
  CHECK(worker.usage().bytes_in_use == 64 * kFrame);
  CHECK(worker.usage().chunk_bytes == 2 * kBuffer);
  const auto in_buffer = std::ranges::count_if(
      frames, [&](std::byte* frame) { return frame >= frames[0] && frame < frames[0] + kBuffer; });
  CHECK(in_buffer == 56);
  CHECK(are_disjoint(frames, kFrame));
  CHECK(are_aligned(frames, 64));
  fill(frames, kFrame);
  CHECK(are_intact(frames, kFrame));
}

TEST_CASE("arena: neighbouring frames are one run, a chunk's end begins another") {
  Worker worker;
  worker.next_block();
  const FrameArena::Frames frames = worker.arena().frames(kFrame, 64, 64);
  CHECK(frames.runs[0].pack_count == 56);
  CHECK(frames.runs[1].first_pack == 56);
  CHECK(frames.runs[1].pack_count == 8);
  CHECK(frames.runs[2].pack_count == 0);
}

TEST_CASE("arena: no frame of one block overlaps one of another chunk") {
  Worker worker;
  worker.next_block();
  const auto frames = worker.frames(3 * kMiB, 256, 16);  // one frame a chunk
  REQUIRE(frames.size() == 16);
  CHECK(worker.usage().overflow_chunks == 15);
  CHECK(are_disjoint(frames, 3 * kMiB));
  fill(frames, 3 * kMiB);
  CHECK(are_intact(frames, 3 * kMiB));
}

TEST_CASE("arena: up to 4 MiB no heap call is made") {
  Worker worker;
  SECTION("many frames") {
    worker.next_block();
    CHECK(worker.frames(65'536, 64, 64).size() == 64);
  }
  SECTION("the sizes around the buffer's") {
    for (const std::uint64_t size : {kBuffer - 1, kBuffer}) {
      worker.next_block();
      CHECK(worker.frames(size, 16, 1).size() == 1);
    }
  }
  CHECK(worker.usage().heap_allocations == 0);
  CHECK(worker.usage().overflow_chunks == 0);
}

TEST_CASE("arena: one byte more than 4 MiB takes one chunk of request and alignment") {
  Worker worker;
  worker.next_block();
  CHECK(worker.frames(kBuffer + 1, 256, 1).size() == 1);
  CHECK(worker.usage().overflow_chunks == 1);
  CHECK(worker.usage().chunk_bytes == kBuffer + (kBuffer + 1 + 256));
}

TEST_CASE("arena: repeated blocks keep addresses and the number of heap allocations") {
  Worker worker;
  const auto block = [&] {
    worker.next_block();
    std::vector<std::byte*> all = worker.frames(100'000, 64, 50);
    all.push_back(worker.allocate(9 * kMiB));
    for (std::byte* frame : worker.frames(kFrame, 128, 64)) all.push_back(frame);
    all.push_back(worker.allocate(3 * kMiB));
    return all;
  };
  const auto first = block();
  const std::uint32_t allocations = worker.usage().heap_allocations;
  CHECK(allocations > 0);
  for (int i = 0; i < 10; ++i) CHECK(block() == first);
  CHECK(worker.usage().heap_allocations == allocations);
}

TEST_CASE("arena: a chunk that is too small is skipped and used later") {
  Worker worker;
  worker.next_block();
  REQUIRE(worker.frames(3 * kMiB, 16, 2).size() == 2);  // buffer and a chunk of 4 MiB
  worker.next_block();
  REQUIRE(worker.allocate(3 * kMiB) != nullptr);
  REQUIRE(worker.allocate(8 * kMiB) != nullptr);  // a chunk of its own
  REQUIRE(worker.allocate(3 * kMiB) != nullptr);  // the chunk of 4 MiB again
  CHECK(worker.usage().overflow_chunks == 2);
}

TEST_CASE("arena: frames above 4 MiB keep their data and alignment") {
  Worker worker;
  for (const std::uint64_t align : {16, 64, 256, 4096, 65'536}) {
    worker.next_block();
    const std::uint64_t size = 5 * kMiB + 3;
    const auto frames = worker.frames(size, align, 3);
    REQUIRE(frames.size() == 3);
    CHECK(are_aligned(frames, align));
    CHECK(are_disjoint(frames, size));
    fill(frames, size);
    CHECK(are_intact(frames, size));
  }
}

TEST_CASE("arena: requests of no bytes and of odd sizes are valid") {
  Worker worker;
  worker.next_block();
  CHECK(worker.frames(0, 1, 100).size() == 100);
  CHECK(worker.allocate(0, 1) != nullptr);
  CHECK(worker.frames(0, 64, 0).empty());
  CHECK(worker.usage().bytes_in_use == 0);
  std::byte* one = worker.allocate(1, 1);
  std::byte* three = worker.allocate(3, 1);
  CHECK(one + 16 == three);
  const auto frames = worker.frames(77, 1, 9);
  CHECK(are_aligned(frames, abi::kMinFrameAlign));
  CHECK(are_disjoint(frames, 77));
  CHECK_FALSE(worker.fault());
  // With nothing left at all.
  worker.next_block();
  REQUIRE(worker.allocate(kBuffer) != nullptr);
  CHECK(worker.allocate(0) != nullptr);
  CHECK(worker.usage().overflow_chunks == 0);
}

TEST_CASE("arena: alignments of 16 to 256 hold for any mixture of sizes") {
  Worker worker;
  worker.next_block();
  std::vector<std::byte*> all;
  for (const std::uint64_t align : {16, 32, 64, 128, 256}) {
    for (const std::uint64_t size : {1, 24, 128, 1'000, 70'001}) {
      worker.allocate(8, 8);  // puts the cursor off the alignment
      const auto frames = worker.frames(size, align, 7);
      REQUIRE(frames.size() == 7);
      CHECK(are_aligned(frames, align));
      CHECK(are_disjoint(frames, size));
      all.insert(all.end(), frames.begin(), frames.end());
    }
  }
  CHECK(are_disjoint(all, 1));
}

TEST_CASE("arena: block widths and frame sizes may change from block to block") {
  Worker worker;
  for (int round = 0; round < 3; ++round) {
    for (const std::uint64_t count : {64, 128, 1, 1'024, 16}) {
      for (const std::uint64_t size : {std::uint64_t{1'024}, std::uint64_t{36'864}, kFrame, std::uint64_t{24}}) {
        worker.next_block();
        const auto frames = worker.frames(size, 64, count);
        REQUIRE(frames.size() == count);
        CHECK(are_disjoint(frames, size));
        fill(frames, std::min<std::uint64_t>(size, 64));
        CHECK(are_intact(frames, std::min<std::uint64_t>(size, 64)));
      }
    }
  }
  CHECK(worker.usage().high_water_bytes == 1'024 * kFrame);
  const std::uint32_t chunks = worker.usage().overflow_chunks;
  CHECK(chunks == worker.usage().heap_allocations - 1);  // the list of runs outgrew its first size, once
}

TEST_CASE("arena: marks nest, and releasing one frees what came after it alone") {
  Worker worker;
  worker.next_block();
  FrameArena& arena = worker.arena();
  const auto outer = worker.frames(kFrame, 64, 60);
  fill(outer, kFrame);
  const std::uint64_t before = worker.usage().bytes_in_use;

  const FrameArena::Mark first = arena.mark();
  std::byte* nested = worker.allocate(5 * kMiB);
  {
    const FrameArena::Mark second = arena.mark();
    for (int block = 0; block < 3; ++block) {  // blocks of a nested execution
      arena.begin_block();
      fill(worker.frames(100'000, 64, 100), 100'000);
      arena.end_block();
    }
    arena.release(second);
  }
  CHECK(worker.allocate(0) >= nested);
  arena.release(first);

  CHECK(worker.usage().bytes_in_use == before);
  CHECK(are_intact(outer, kFrame));
  const auto more = worker.frames(kFrame, 64, 4);
  CHECK(std::ranges::none_of(more, [&](std::byte* frame) { return std::ranges::count(outer, frame) > 0; }));
}

TEST_CASE("arena: a nested execution leaves the outer block's list of runs alone") {
  Worker worker;
  worker.next_block();
  const abi::FrameRun* runs = worker.arena().frames(kFrame, 64, 64).runs;
  const FrameArena::Mark mark = worker.arena().mark();
  worker.frames(5 * kMiB, 64, 40);
  worker.arena().release(mark);
  worker.frames(5 * kMiB, 64, 40);
  CHECK(runs[0].pack_count == 56);
  CHECK(runs[1].pack_count == 8);
  CHECK(runs[2].pack_count == 0);
}

TEST_CASE("arena: size overflow is an error, and the arena stays usable") {
  Worker worker;
  worker.next_block();
  for (const std::uint64_t size : {UINT64_MAX, UINT64_MAX - 15, UINT64_MAX / 2, std::uint64_t{1} << 60}) {
    CHECK(worker.arena().allocate(size, 16).failure == ArenaFailure::size_overflow);
    CHECK(worker.arena().frames(size, 256, 64).failure == ArenaFailure::size_overflow);
  }
  CHECK(worker.arena().allocate(16, std::uint64_t{1} << 63).failure == ArenaFailure::size_overflow);
  CHECK(worker.arena().frames(16, 16, std::uint64_t{1} << 32).failure == ArenaFailure::size_overflow);
  CHECK(worker.arena().allocate(16, 24).failure == ArenaFailure::bad_alignment);
  CHECK(worker.arena().frames(16, 0, 1).failure == ArenaFailure::bad_alignment);
  CHECK(worker.frames(UINT64_MAX, 64, 1).empty());
  REQUIRE(worker.fault());
  CHECK(worker.fault()->message.find("does not fit the address space") != std::string::npos);
  CHECK(worker.frames(kFrame, 64, 64).size() == 64);
}

TEST_CASE("arena: a failed allocation is an error, and the arena stays usable") {
  Worker worker;
  worker.next_block();
  SECTION("refused by the operating system") {
    CHECK(worker.arena().allocate(std::uint64_t{1} << 46, 16).failure == ArenaFailure::out_of_memory);
  }
  SECTION("beyond the limit") {
    const LimitScope limit(arena_bytes() + 2 * kBuffer);
    const auto frames = worker.arena().frames(kMiB, 64, 100);
    CHECK(frames.failure == ArenaFailure::limit_reached);
    CHECK(frames.failed_pack == 12);
  }
  SECTION("with overflow chunks forbidden") {
    const LimitScope limit(0);
    CHECK(worker.frames(kFrame, 64, 56).size() == 56);
    CHECK(worker.frames(kFrame, 64, 1).empty());
    REQUIRE(worker.fault());
    CHECK(worker.fault()->kind == abi::SiteKind::out_of_memory);
  }
  CHECK(worker.arena().has_failed());
  CHECK(worker.frames(kFrame, 64, 64).size() == 64);
}

TEST_CASE("arena: its bytes return to zero when the thread exits") {
  const std::uint64_t before = arena_bytes();
  std::uint64_t during = 0;
  std::thread([&] {
    Worker worker(&thread_arena());
    worker.next_block();
    worker.frames(kFrame, 64, 64);
    during = arena_bytes();
  }).join();
  CHECK(during == before + 2 * kBuffer);
  CHECK(arena_bytes() == before);
}

TEST_CASE("arena: its bytes fall on trim, and it grows again") {
  const std::uint64_t before = arena_bytes();
  FrameArena arena;
  for (int i = 0; i < 2; ++i) {
    Worker worker(&arena);
    worker.next_block();
    fill(worker.frames(kFrame, 64, 64), kFrame);
    CHECK(arena_bytes() == before + 2 * kBuffer);
    worker.next_block();
    arena.end_block();
    arena.trim();
    CHECK(arena_bytes() == before + kBuffer);
    CHECK(arena.usage().overflow_chunks == 0);
    arena.begin_block();
  }
}

TEST_CASE("arena: one thread's request trims the memory of others") {
  const std::uint64_t before = arena_bytes();
  {
    const BlockScope scope(0);
    Worker worker(&thread_arena());
    worker.next_block();
    worker.frames(kFrame, 64, 64);
  }
  std::thread([&] {
    CHECK(arena_bytes() > before + kBuffer);
    trim_thread_memory();
    CHECK(arena_bytes() <= before + kBuffer);
  }).join();
}

TEST_CASE("arena: a block that begins before the preceding one has ended is caught") {
  const auto death = weft::test::death_of([] {
    FrameArena arena;
    arena.begin_block();
    arena.begin_block();
  });
  CHECK(death.aborted);
  CHECK(death.text.find("!block_active_") != std::string::npos);
}

TEST_CASE("arena: marks released out of order are caught") {
  const auto death = weft::test::death_of([] {
    FrameArena arena;
    const FrameArena::Mark first = arena.mark();
    static_cast<void>(arena.mark());
    arena.release(first);
  });
  CHECK(death.aborted);
}
