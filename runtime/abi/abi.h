// What generated code and the runtime share: the block context handed to a compiled kernel, the arguments, the frame
// runs, and the KernelInfo embedded in each object. Everything here is plain data with asserted sizes and offsets:
// the lowering writes these offsets into code that is kept on disk, so a change of any of them is a new kAbiVersion.
//
// A compiled kernel is one function, a block function. It gets all it needs in its BlockContext (generated code never
// reads a thread-local), runs one block and returns how it ended. It must not throw, and touches no memory but its
// arguments' buffers, the block's shared memory and what it asked from the arena.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::abi {

inline constexpr std::uint32_t kAbiVersion = 3;

// How a block function ended.
enum class BlockStatus : std::uint32_t {
  done = 0,     // every lane has returned
  waiting = 1,  // suspended until something outside the block happens; call again with the stored resume point
  fault = 2,    // a fault was reported through the context; the block is abandoned
};

// The head of a frame arena, the first member of weft::runtime::FrameArena. Memory is asked from it through the helpers
// alone, which also keep its books; generated code hands it on unseen.
struct ArenaCursor {
  std::byte* cursor;  // next free byte
  std::byte* end;     // one past the last byte of the current chunk
};

// What every frame and scratch area is aligned to at least.
inline constexpr std::uint64_t kMinFrameAlign = 2 * sizeof(void*);

// The distance of neighbouring frames: the size rounded up to the alignment, a power of two, which is kMinFrameAlign at
// least.
constexpr std::uint64_t frame_stride(std::uint64_t size_bytes, std::uint64_t align) {
  const std::uint64_t mask = (align < kMinFrameAlign ? kMinFrameAlign : align) - 1;
  return (size_bytes + mask) & ~mask;
}

// Neighbouring frames of one block: frame i of the run is at base + i * frame_stride(size, align).
// A list of runs ends with a run of zero packs.
struct FrameRun {
  std::byte* base;
  std::uint32_t first_pack;
  std::uint32_t pack_count;
};

// Where a pack of a kernel that waits between blocks stopped, in the order in which a block sees to its packs: while
// one of them waits, none goes on; the last are those at a barrier of the grid.
enum class PackState : std::uint32_t {
  ended = 0,
  at_grid_barrier = 1,
  at_block_barrier = 2,
  waits = 3,  // for a counter
};

// How the number behind a counter's address is read and compared.
enum class CounterType : std::uint32_t { u32 = 0, i32 = 1, u64 = 2, i64 = 3 };

// What a block that returned `waiting` waits for: see BlockContext::resume_point.
struct Wait {
  const std::byte* counter;  // null: it is out of range, and reads as 0
  std::uint64_t value;       // that it must reach; extended from the counter's type
  CounterType type;
  std::uint32_t lane;       // that waits, within the block
  std::uint32_t site;       // index into KernelInfo::sites, of the wait
  std::uint32_t grid_site;  // the same of the barrier of the grid
};

// One per dispatch and worker; the launcher changes block_id from block to block.
struct BlockContext {
  const std::byte* arguments;      // argument block, laid out as KernelInfo::arguments says
  std::byte* shared;               // the block's shared memory, KernelInfo::shared_bytes, aligned to 64
  ArenaCursor* arena;              // the running thread's arena
  const std::uint32_t* cancel;     // nonzero once the dispatch is to stop; read relaxed, may be polled by long loops
  void* dispatch;                  // the runtime's own state of the dispatch; generated code hands it on unseen
  std::uint64_t resume_point;      // 0 at the first call of a block; a PackState where the block returned `waiting`
  std::uint32_t block_id[3];       // this block's place in the grid, in blocks
  std::uint32_t grid_size[3];      // number of blocks in each dimension
  std::uint32_t dispatch_size[3];  // number of lanes in each dimension
  std::uint32_t kernel_id;         // number of this dispatch's kernel within its command, 0 if there is one
  std::uint64_t dropped;           // where a scalar goes whose place is out of range; nobody reads it
  std::byte* resident;   // KernelInfo::resident_bytes of the block's own until it has ended, aligned as frames
  PackState pack_state;  // how the pack that was run last stopped
  std::uint32_t unused;
  Wait wait;  // set where the block returns `waiting`
};

using BlockFunction = BlockStatus (*)(BlockContext*);

// An argument of type buffer<T> or byte_buffer in the argument block.
struct BufferArgument {
  std::byte* data;
  std::uint64_t count;  // in elements; in bytes for a byte buffer
};

enum class ArgumentKind : std::uint32_t {
  value = 0,        // a scalar, vector, matrix, array or struct by value
  buffer = 1,       // BufferArgument, count in elements
  byte_buffer = 2,  // BufferArgument, count in bytes
};

enum ArgumentFlags : std::uint32_t {
  kArgumentRead = 1,      // the kernel may read through it
  kArgumentWritten = 2,   // the kernel may write through it
  kArgumentRestrict = 4,  // declared to overlap no other argument
};

// Strings are null-terminated and live in the object, as do the tables.
struct ArgumentInfo {
  const char* name;
  const char* type;  // the type in text form
  ArgumentKind kind;
  std::uint32_t flags;          // ArgumentFlags
  std::uint32_t offset_bytes;   // in the argument block
  std::uint32_t size_bytes;     // in the argument block
  std::uint64_t element_bytes;  // stride of a buffer's elements, 1 for a byte buffer, 0 for a value
};

// What a kernel may report at run time about one place in its source: an assert, an unreachable, a print.
enum class SiteKind : std::uint32_t {
  assertion = 0,
  unreachable = 1,
  print = 2,
  out_of_memory = 3,
  bounds = 4,
  barrier = 5,        // a lane missed a barrier that others reached
  uninitialised = 6,  // a read of memory that was never written
  wait = 7,           // a wait that can never end
};

struct SiteInfo {
  const char* text;    // assertion's condition or message; a print's format, "{}" for each value
  const char* types;   // a print's values: one letter each, b bool, c C s S i I l L signed/unsigned 8..64, h f d floats
  const char* file;    // source place; empty if there is none
  std::uint32_t line;  // 0 if unknown
  std::uint32_t column;  // 0 if unknown
  SiteKind kind;
  std::uint32_t value_count;
};

enum KernelFlags : std::uint32_t {
  kKernelSuspends = 1,    // has suspend points: asks the arena for frames
  kKernelPhaseLoops = 2,  // packs advance together, phase by phase
  kKernelUnchecked = 4,   // compiled without range checks
  kKernelFastMath = 8,
  kKernelInterruptible = 16,  // loops end when the dispatch is to stop: its last block may be unfinished
  kKernelCooperative = 32,    // waits for other blocks: all blocks of the grid must live at once
};

// Exported by every object under the symbol "weft_kernel_info", beside the block function "weft_block".
struct KernelInfo {
  std::uint32_t abi_version;  // kAbiVersion of the compiler that made the object
  std::uint32_t flags;        // KernelFlags
  const char* name;
  std::uint32_t pack_width;
  std::uint32_t warp_size;
  std::uint32_t block_size[3];
  std::uint32_t suspend_points;
  std::uint64_t argument_bytes;  // size of the argument block
  std::uint64_t shared_bytes;    // per block
  std::uint64_t frame_bytes;     // per pack, as coro.size says; 0 without suspend points
  std::uint64_t frame_align;
  std::uint64_t scratch_bytes;  // per block, arena memory for large locals that live across no barrier
  std::uint64_t
      resident_bytes;  // per block of a cooperative kernel, beside shared memory: its packs' states and frames
  std::uint32_t argument_count;
  std::uint32_t site_count;
  const ArgumentInfo* arguments;
  const SiteInfo* sites;
};

inline constexpr const char* kBlockSymbol = "weft_block";
inline constexpr const char* kInfoSymbol = "weft_kernel_info";

static_assert(sizeof(ArenaCursor) == 16 && offsetof(ArenaCursor, end) == 8);
static_assert(sizeof(FrameRun) == 16 && offsetof(FrameRun, first_pack) == 8 && offsetof(FrameRun, pack_count) == 12);
static_assert(offsetof(BlockContext, arguments) == 0 && offsetof(BlockContext, shared) == 8);
static_assert(offsetof(BlockContext, arena) == 16 && offsetof(BlockContext, cancel) == 24);
static_assert(offsetof(BlockContext, dispatch) == 32 && offsetof(BlockContext, resume_point) == 40);
static_assert(offsetof(BlockContext, block_id) == 48 && offsetof(BlockContext, grid_size) == 60);
static_assert(offsetof(BlockContext, dispatch_size) == 72 && offsetof(BlockContext, kernel_id) == 84);
static_assert(offsetof(BlockContext, dropped) == 88 && offsetof(BlockContext, resident) == 96);
static_assert(offsetof(BlockContext, pack_state) == 104 && offsetof(BlockContext, wait) == 112);
static_assert(sizeof(Wait) == 32 && offsetof(Wait, value) == 8 && offsetof(Wait, type) == 16);
static_assert(offsetof(Wait, lane) == 20 && offsetof(Wait, site) == 24 && offsetof(Wait, grid_site) == 28);
static_assert(sizeof(BlockContext) == 144);
static_assert(sizeof(BufferArgument) == 16 && offsetof(BufferArgument, count) == 8);
static_assert(sizeof(ArgumentInfo) == 40 && offsetof(ArgumentInfo, element_bytes) == 32);
static_assert(sizeof(SiteInfo) == 40 && offsetof(SiteInfo, kind) == 32);
static_assert(sizeof(KernelInfo) == 112 && offsetof(KernelInfo, argument_bytes) == 40 &&
              offsetof(KernelInfo, arguments) == 96);

}  // namespace weft::abi
