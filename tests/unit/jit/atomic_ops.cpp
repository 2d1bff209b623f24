// Every op of the family atomic, in every type that it takes, on buffers and shared memory: one thread running block
// after block leaves the same numbers and gives the same results as the interpreter.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "codegen/ir/typing.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;
using ir::OpCode;

namespace {

constexpr std::uint32_t kLanes = 32 * 5;

// An atomic op in the text form on `place`, with operands %x and %y as it needs.
std::string atomic(const ir::OpInfo& info, const std::string& place) {
  std::string text = fmt::format("{} {}", info.text, place);
  const std::array operands{", %x", ", %y"};
  for (std::size_t i = 1; i < info.operand_count; ++i) {
    text += operands[i - 1];
  }
  return text;
}

// How lanes choose their place in %cells.
struct Addressing {
  const char* name;
  const char* index;    // op that makes %at
  const char* operand;  // index of the first operand
};
constexpr Addressing kAddressings[] = {
    {"one place", "%at = add 3_u32, 0", "dispatch_id.x"},
    {"one place and operand", "%at = rem block_id.x, 4", "block_id.x"},
    {"one place far out of range", "%at = add 0x40000000, block_id.x", "dispatch_id.x"},
    {"neighbours", "%at = add thread_id.x, 2", "dispatch_id.x"},
    {"any place", "%at = read %places[dispatch_id.x]", "dispatch_id.x"},
};

struct Variant {
  bool is_shared;
  bool used;    // the result is written
  bool masked;  // under a divergent condition
};

// What copies %cells into shared memory and back.
constexpr const char* kFill = R"(
  %tile = shared array<{}, 40>
  %low = element %tile[thread_id.x]
  %a = read %cells[thread_id.x]
  store %low, %a
  %next = add thread_id.x, 32
  %high = element %tile[%next]
  %b = read %cells[%next]
  store %high, %b
  barrier
)";
constexpr const char* kCopyBack = R"(
  barrier
  %c = load %low
  write %cells[thread_id.x], %c
  %d = load %high
  write %cells[%next], %d
)";

// The lanes of each block operate once each on a place among 40 numbers, in %cells or a copy in shared memory.
std::string source(const ir::OpInfo& info, const std::string& type, const Addressing& addressing, Variant v) {
  const bool has_result = info.result != ir::ResultShape::nothing;
  std::string text = fmt::format(R"(weft 1
kernel @k(%cells: buffer<{0}>, %xs: buffer<{0}>, %ys: buffer<{0}>, %places: buffer<u32>, %out: buffer<{0}>) block(32) {{
  {1}
  %x = read %xs[{2}]
  %y = read %ys[dispatch_id.x]
)",
                                 type, addressing.index, addressing.operand);
  text += v.is_shared ? fmt::format(fmt::runtime(kFill), type) : "";
  text += v.masked ? "  %some = lt %x, %y\n  if %some {\n" : "";
  text += v.is_shared ? "  %place = element %tile[%at]\n" : "  %place = buffer_element %cells[%at]\n";
  text += fmt::format("  {}{}\n", has_result ? "%r = " : "", atomic(info, "%place"));
  text += has_result && v.used ? "  write %out[dispatch_id.x], %r\n" : "";
  text += v.masked ? "  }\n" : "";
  return text + (v.is_shared ? kCopyBack : "") + "}\n";
}

Bytes numbers(ir::TypeKind kind, std::size_t count, Random& random) {
  const auto values = operands_of(kind);
  const std::size_t size = ir::scalar_bits(kind) / 8;
  Bytes bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = values[random.next() % values.size()];
    std::memcpy(bytes.data() + i * size, &value, size);
  }
  return bytes;
}

Memory memory_for(ir::TypeKind kind) {
  Random random;
  std::vector<std::uint32_t> places(kLanes);
  for (std::uint32_t& p : places) {
    p = static_cast<std::uint32_t>(random.next() % 50);  // some are out of range
  }
  const std::size_t size = ir::scalar_bits(kind) / 8;
  return {numbers(kind, 40, random), numbers(kind, kLanes, random), numbers(kind, kLanes, random), bytes_of(places),
          Bytes(kLanes * size)};
}

bool takes(OpCode code, ir::TypeId scalar) {
  ir::Module module;
  const std::array operands{module.types.reference(scalar), scalar, scalar};
  return ir::info(code).family == ir::OpFamily::atomic && ir::info(code).operand_count > 0 &&
         ir::matches(module.types, code, 0, operands, 0);
}

// u32 and f32 in several ways, the other types, which share their code, in one.
std::vector<Way> ways_for(ir::TypeKind kind, bool masked) {
  const bool thorough = kind == ir::TypeKind::u32 || kind == ir::TypeKind::f32;
  if (!masked) {
    return thorough ? std::vector<Way>{{8, "x86-64-v3"}} : std::vector<Way>{};
  }
  return thorough ? std::vector<Way>{{1, "x86-64-v3"}, {8, "x86-64-v3"}, {32, "native"}}
                  : std::vector<Way>{{8, "x86-64-v3"}};
}

void check_op(OpCode code, ir::TypeKind kind) {
  const ir::OpInfo& info = ir::info(code);
  for (const Addressing& addressing : kAddressings) {
    for (const bool is_shared : {false, true}) {
      for (const bool used : {false, true}) {
        for (const bool masked : {false, true}) {
          INFO(info.text << " " << ir::scalar_text(kind) << " " << addressing.name
                         << (is_shared ? " shared" : " buffer") << (used ? " used" : "") << (masked ? " masked" : ""));
          const std::string text =
              source(info, std::string(ir::scalar_text(kind)), addressing, {is_shared, used, masked});
          check_same(text, {kLanes, 1, 1}, memory_for(kind), ways_for(kind, masked));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("atomics: every op in every type gives the interpreter's numbers") {
  for (std::size_t i = 0; i < ir::all_ops().size(); ++i) {
    for (const ir::TypeId scalar : {ir::kI32, ir::kU32, ir::kI64, ir::kU64, ir::kF32, ir::kF64}) {
      if (takes(static_cast<OpCode>(i), scalar)) {
        check_op(static_cast<OpCode>(i), ir::TypeKind(scalar.index));
      }
    }
  }
}
