// The reference interpreter: runs a prepared kernel block by block, and so says what the IR means. Slow and obvious on
// purpose; the lowering is tested against it.
//
// A block is run as one: a set of active lanes walks the regions, each op is done for all of them in lane order before
// the next op, and lanes that part come together again where module.h says. So lanes of a block run in a legal order,
// one that repeats exactly.
//
// What it reports that compiled code does not: reads of local arrays and shared memory before they were written
// (counted; a fault on request), ranges left (a fault on request), and lanes that miss a barrier (always a fault). The
// attribute `unchecked` changes nothing here.
//
// A Machine is used by one thread at a time, and touches memory by plain accesses, atomics too: blocks of one dispatch
// must not run on several threads. It keeps a reference to the module.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codegen/ir/module.h"

namespace weft::interp {

using Size3 = std::array<std::uint32_t, 3>;

struct Options {
  bool checked = false;               // an access out of range is a fault
  bool report_uninitialised = false;  // so is a read of memory that was not written
  // What every byte of a local array and of shared memory is before it is written.
  std::byte poison{0xCD};
  // Nonzero once the dispatch is to stop; read at each loop iteration and block.
  const std::uint32_t* cancel = nullptr;
  // Gets each printed line, without a newline.
  std::function<void(std::string_view)> print;
};

// One dispatch of a kernel.
struct Dispatch {
  std::span<const std::byte> arguments;  // as ir::layout_arguments says
  Size3 size{1, 1, 1};                   // in lanes
  std::uint32_t kernel_id = 0;
  const std::uint32_t* cancel = nullptr;  // of this dispatch alone, beside that of the options
};

enum class FaultKind : std::uint8_t { assertion, unreachable, bounds, barrier, uninitialised, wait };

struct Fault {
  FaultKind kind = FaultKind::assertion;
  std::string message;
  ir::Location location;
  Size3 block{};
  Size3 lane{};  // within the block
};

// What happened so far.
struct Outcome {
  std::optional<Fault> fault;  // the first; nothing is run after it
  bool cancelled = false;
  std::uint64_t uninitialised_reads = 0;
  ir::Location first_uninitialised_read;

  [[nodiscard]] bool stopped() const { return fault.has_value() || cancelled; }
};

// What a block waits for: the barrier of the grid, or a counter to reach a value.
struct BlockWait {
  ir::Location location;
  bool at_grid_barrier = false;
  const std::byte* counter = nullptr;  // null: out of range, and read as 0
  std::uint64_t value = 0;             // extended from its type
  ir::TypeKind kind = ir::TypeKind::u32;
  std::uint32_t lane = 0;  // that waits, within the block

  // Whether the counter has reached the value.
  [[nodiscard]] bool is_over() const;
};

// Where a block that has to wait goes in the meantime.
class Suspender {
 public:
  virtual ~Suspender() = default;
  // Returns when the block may look again.
  virtual void suspend(const BlockWait& wait) = 0;
};

class Block;
struct Plan;

class Machine {
 public:
  // The module is as passes::prepare makes it, or inlined since; `kernel` is of that module.
  Machine(const ir::Module& module, const ir::Function& kernel, Options options = {});
  ~Machine();

  // The number of blocks of a dispatch, in each dimension.
  [[nodiscard]] Size3 grid(const Size3& dispatch_size) const;
  // Runs one block; does nothing once the outcome says that the dispatch has stopped.
  void run_block(const Dispatch& dispatch, const Size3& block_id, Outcome& outcome);
  // Runs all blocks, x fastest; those that wait for each other all live at once, and waiting without end is a fault.
  [[nodiscard]] Outcome run(const Dispatch& dispatch);

  // The kernel's blocks wait for each other: each is to be a LiveBlock (live_block.h).
  [[nodiscard]] bool is_cooperative() const;
  // What a LiveBlock needs of stack, and what it takes of memory beside it.
  [[nodiscard]] std::uint64_t stack_bytes() const;
  [[nodiscard]] std::uint64_t block_bytes() const;

 private:
  friend class LiveBlock;
  [[nodiscard]] Outcome run_live(const Dispatch& dispatch);

  std::unique_ptr<const Plan> plan_;
  std::unique_ptr<Block> block_;
};

// "file:line:column: message, block (x, y, z), lane (x, y, z)".
[[nodiscard]] std::string to_string(const ir::Module& module, const Fault& fault);

}  // namespace weft::interp
