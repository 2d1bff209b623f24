// What the coroutine split left of a pack function, made ready to be run by the block function.
//
// LLVM's split gives a ramp (up to the first suspend point) and one resume function that branches on the suspend index
// in the frame. From these come a resume function with the context as parameters, and, where packs advance together,
// one clone of it for each suspend point that holds only what is reachable from there.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <vector>

#include "codegen/lower/kernel.h"

namespace weft::lower {

// Whether packs of a kernel of so many ops advance together, a phase at a time, each phase compiled for itself.
[[nodiscard]] bool uses_phases(const KernelPlan& plan, std::size_t ops);

struct SplitFunction {
  llvm::Function* ramp = nullptr;           // a pack function; null where the kernel has no such version
  llvm::Function* resume = nullptr;         // the same parameters, returns nothing
  std::vector<llvm::Function*> phases;      // by suspend index: resume for that index alone; empty if not asked for
  std::vector<llvm::ConstantInt*> indices;  // the suspend index of each phase, as stored
  std::uint64_t index_offset = 0;           // of the suspend index in the frame
  std::uint64_t frame_bytes = 0;
  std::uint64_t frame_align = 1;
};

// `ramp` is the pack function after the split. `with_phases` asks for the clones. Nothing of LLVM's own resume, destroy
// and cleanup functions is left in the module; a frame's first word is 1 while its pack is suspended and null once it
// has ended.
[[nodiscard]] SplitFunction finish_split(llvm::Module& module, llvm::Function* ramp, bool with_phases);

}  // namespace weft::lower
