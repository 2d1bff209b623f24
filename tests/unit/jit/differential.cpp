#include "tests/unit/jit/differential.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "codegen/ir/arguments.h"
#include "codegen/ir/text/parse.h"
#include "codegen/passes/prepare.h"
#include "runtime/block_runner.h"
#include "runtime/grid.h"

namespace weft::jit::testing {

namespace {

using interp::Size3;

bool is_buffer(const ir::Module& module, ir::TypeId type) {
  const ir::TypeKind kind = module.types[type].kind;
  return kind == ir::TypeKind::buffer || kind == ir::TypeKind::byte_buffer;
}

// The argument block that hands `memory` to a kernel.
Bytes argument_block(const ir::Module& module, const ir::Function& kernel, Memory& memory) {
  const ir::ArgumentLayout layout = ir::layout_arguments(module.types, kernel);
  REQUIRE(layout.slots.size() == memory.size());
  Bytes block(layout.size_bytes);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    std::byte* slot = block.data() + layout.slots[i].offset_bytes;
    const ir::TypeId type = kernel.type(kernel.parameters[i].value);
    if (!is_buffer(module, type)) {
      REQUIRE(memory[i].size() == layout.slots[i].size_bytes);
      std::memcpy(slot, memory[i].data(), memory[i].size());
      continue;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory[i].data());
    const std::uint64_t stride = std::max<std::uint64_t>(module.types[type].stride_bytes, 1);
    const std::uint64_t count = memory[i].size() / stride;
    std::memcpy(slot, &address, 8);
    std::memcpy(slot + 8, &count, 8);
  }
  return block;
}

// Runs all blocks in order on this thread.
bool run_blocks(const LoadedKernel& loaded, Size3 size, const Bytes& arguments) {
  const abi::KernelInfo& info = loaded.info();
  const auto grid = runtime::grid_of_lanes(size, {info.block_size[0], info.block_size[1], info.block_size[2]});
  REQUIRE(grid.has_value());
  runtime::Kernel kernel{.info = &info, .function = loaded.block_function()};
  runtime::DispatchState state(info, *grid);
  runtime::BlockRunner runner(kernel, state, arguments.data());
  const std::uint64_t blocks = grid->block_count;
  return runner.run(0, blocks) == blocks && !state.has_fault();
}

bool can_run(const char* cpu) { return resolve_target(cpu).has_value(); }

std::uint64_t bits_at(const Bytes& bytes, std::uint64_t offset, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, size);
  return bits;
}

// Whether bits of a scalar kind are a NaN.
bool is_nan(ir::TypeKind kind, std::uint64_t bits) {
  switch (kind) {
    case ir::TypeKind::f16: return (bits & 0x7fff) > 0x7c00;
    case ir::TypeKind::f32: return (bits & 0x7fffffff) > 0x7f800000;
    case ir::TypeKind::f64: return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default: return false;
  }
}

// The scalar that a buffer is made of; u8 where it is a mixture.
ir::TypeKind scalar_kind(const ir::Module& module, ir::TypeId type) {
  const ir::Type& t = module.types[type];
  const ir::TypeId scalar = module.types.scalar_of(t.kind == ir::TypeKind::buffer ? t.element : type);
  return scalar.valid() ? module.types[scalar].kind : ir::TypeKind::u8;
}

// The first elements that differ in an argument, told in a few lines; empty if none do.
std::string differences(ir::TypeKind kind, const Bytes& expected, const Bytes& found, std::size_t parameter,
                        const Describe& describe) {
  const std::size_t size = std::max<std::size_t>(ir::scalar_bits(kind) / 8, 1);
  std::string text;
  std::size_t count = 0;
  for (std::uint64_t offset = 0; offset + size <= expected.size(); offset += size) {
    const std::uint64_t a = bits_at(expected, offset, size);
    const std::uint64_t b = bits_at(found, offset, size);
    if (a == b || (is_nan(kind, a) && is_nan(kind, b))) {
      continue;
    }
    if (++count <= 4) {
      const std::uint64_t element = offset / size;
      text += fmt::format("  argument {} element {}{}: expected {:#x}, found {:#x}\n", parameter, element,
                          describe ? " " + describe(parameter, element) : "", a, b);
    }
  }
  return count > 4 ? text + fmt::format("  and {} more\n", count - 4) : text;
}

}  // namespace

std::string Way::text() const {
  return fmt::format("width {}, {}{}{}", width, cpu, effort == Effort::minimal ? ", minimal effort" : "",
                     form == Form::coroutines ? ", coroutines" : "");
}

std::vector<Way> ways_of_width(std::uint32_t width) {
  std::vector<Way> ways{{width, "x86-64-v3"}, {width, "x86-64-v3", Effort::minimal}};
  ways.push_back({width, can_run("x86-64-v4") ? "x86-64-v4" : "native"});
  return ways;
}

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const std::uint32_t width : {1U, 4U, 8U, 16U, 32U}) {
    ways.push_back({width, "x86-64-v3"});
    if (can_run("x86-64-v4")) {
      ways.push_back({width, "x86-64-v4", Effort::full, Form::coroutines});
    }
  }
  ways.push_back({8, "x86-64-v3", Effort::minimal});
  ways.push_back({16, "native"});
  return ways;
}

std::unique_ptr<ir::Module> parsed(const std::string& source) {
  auto module = ir::parse(source, "test.weft");
  if (!module) {
    SourceTexts texts;
    texts.add("test.weft", source);
    FAIL(print(module.diagnostics(), texts));
  }
  return std::move(*module);
}

Memory interpreted(const ir::Module& module, Size3 size, Memory memory) {
  const auto prepared = passes::prepare(module);
  REQUIRE(prepared.has_value());
  const ir::Function& kernel = *(*prepared)->find_kernel();
  const Bytes arguments = argument_block(**prepared, kernel, memory);
  interp::Machine machine(**prepared, kernel);
  const interp::Outcome outcome = machine.run({.arguments = arguments, .size = size});
  if (outcome.fault) {
    FAIL(interp::to_string(**prepared, *outcome.fault));
  }
  return memory;
}

Memory compiled(const ir::Module& module, Size3 size, Memory memory, const Way& way) {
  INFO(way.text());
  CompileOptions options;
  options.width = way.width;
  options.cpu = way.cpu;
  options.effort = way.effort;
  options.form = way.form;
  auto object = compile(module, options);
  if (!object) {
    FAIL(print(object.diagnostics()));
  }
  auto kernel = load(object->bytes, "test");
  if (!kernel) {
    FAIL(print(kernel.diagnostics()));
  }
  REQUIRE(run_blocks(**kernel, size, argument_block(module, *module.find_kernel(), memory)));
  return memory;
}

void check_same(const ir::Module& module, Size3 size, const Memory& memory, const std::vector<Way>& ways,
                const Describe& describe) {
  const Memory expected = interpreted(module, size, memory);
  const ir::Function& kernel = *module.find_kernel();
  for (const Way& way : ways) {
    const Memory found = compiled(module, size, memory, way);
    std::string text;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const ir::TypeKind kind = scalar_kind(module, kernel.type(kernel.parameters[i].value));
      text += differences(kind, expected[i], found[i], i, describe);
    }
    if (!text.empty()) {
      FAIL_CHECK(way.text() << ":\n" << text);
    } else {
      SUCCEED();
    }
  }
}

void check_same(const std::string& source, Size3 size, const Memory& memory, const std::vector<Way>& ways) {
  check_same(*parsed(source), size, memory, ways);
}

}  // namespace weft::jit::testing
