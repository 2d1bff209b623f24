// Every op of the family warp, in every scalar type that it takes: compiled code gives the same bits as the
// interpreter, with all lanes active, with some and with one, in warps of 8, 16 and 32 lanes.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "codegen/ir/typing.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;
using ir::OpCode;
using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

namespace {

constexpr std::uint32_t kLanes = 48 * 7 + 5;  // blocks of 48 lanes, of which no warp size is a divisor, and a cut one

template <class T>
Bytes buffer_of(std::uint32_t size, T make) {
  Bytes bytes(std::size_t{kLanes} * size);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t value = make(i);
    std::memcpy(bytes.data() + std::size_t{i} * size, &value, size);
  }
  return bytes;
}

// Computes each op on what each lane reads, under masks of several kinds.
class WarpKernel {
 public:
  WarpKernel(TypeId scalar, std::uint32_t warp_size) : scalar_(scalar), ways_(ways_of_width(warp_size)) {
    kernel_.attributes.block_size = {48, 1, 1};
    kernel_.attributes.warp_size = warp_size;
    const auto values = operands_of(TypeKind(scalar.index));
    values_ =
        add_buffer(scalar, buffer_of(size_of(scalar), [&](auto) { return values[random_.next() % values.size()]; }));
    indices_ =
        add_buffer(ir::kU32, buffer_of(4, [&](auto i) { return i % 29 == 0 ? random_.next() : random_.next() % 34; }));
    lane_ = b_.emit(OpCode::dispatch_id);
  }

  void check() {
    add_ops(b_.constant_bool(true), false);
    // About half the lanes of odd warps, about one in ten of even ones; where there is none, nothing runs.
    const ValueId mask =
        add_buffer(ir::kBool, buffer_of(1, [&](auto i) { return random_.next() % (i % 96 < 48 ? 2 : 10) == 0; }));
    add_ops(b_.emit(OpCode::read, {mask, lane_}), true);
    check_same(module_, {kLanes, 1, 1}, memory_, ways_, [&](std::size_t parameter, std::uint64_t element) {
      return fmt::format("{} lane {}", results_.at(parameter), element);
    });
  }

 private:
  static std::uint32_t size_of(TypeId scalar) { return std::max(ir::scalar_bits(TypeKind(scalar.index)) / 8, 1U); }

  ValueId add_buffer(TypeId type, Bytes bytes) {
    memory_.push_back(std::move(bytes));
    return kernel_.add_parameter(module_.types.buffer(type), {});
  }

  void add_ops(ValueId condition, bool divergent) {
    const ValueId value = b_.emit(OpCode::read, {values_, lane_});
    const ir::RegionId outside = b_.region();
    if (divergent) {
      const ir::OpId branch = b_.emit_regions(OpCode::if_, {condition}, 2);
      b_.set_region(kernel_.regions(kernel_.op(branch))[0]);
    }
    for (std::size_t i = 0; i < ir::all_ops().size(); ++i) {
      const auto code = static_cast<OpCode>(i);
      if (ir::info(code).family == ir::OpFamily::warp) {
        add_op(code, value);
      }
    }
    b_.set_region(outside);
  }

  void add_op(OpCode code, ValueId value) {
    const std::array operand{scalar_};
    const std::size_t count = ir::info(code).operand_count;
    if (count == 0) {
      return add_result(code, {}, "");
    }
    if (!ir::matches(module_.types, code, 0, operand, 0)) {
      return;
    }
    if (count == 1) {
      add_result(code, {value}, "");
      if (scalar_ == ir::kU32) {
        add_result(code, {lane_}, " of an affine value");
      }
      return add_result(code, {b_.constant_number(scalar_, -0.0)}, " of a constant");
    }
    const ValueId place = b_.emit(OpCode::warp_lane);
    add_result(code, {value, b_.emit(OpCode::read, {indices_, lane_})}, " at any lane");
    add_result(code, {value, b_.emit(OpCode::xor_, {place, b_.constant_u32(3)})}, " at lane ^ 3");
    add_result(code, {value, b_.emit(OpCode::add, {place, b_.constant_u32(1)})}, " at lane + 1");
    for (const std::uint32_t lane : {0U, 5U, 7U, 8U, 31U, 32U}) {
      add_result(code, {value, b_.constant_u32(lane)}, fmt::format(" at lane {}", lane));
    }
    add_result(code, {value, b_.constant(ir::kI8, {0xff})}, " at lane -1");
    add_result(code, {lane_, b_.emit(OpCode::cast, {place}, 0, ir::kI64)}, " of an affine value");
  }

  void add_result(OpCode code, std::initializer_list<ValueId> operands, const std::string& note) {
    const ValueId result = b_.emit(code, operands);
    const TypeId type = kernel_.type(result);
    results_[memory_.size()] = fmt::format("{} {}{}", ir::info(code).text, module_.types.text(type), note);
    const ValueId out = add_buffer(type, buffer_of(size_of(type), [](auto) { return 0; }));
    b_.emit(OpCode::write, {out, lane_, result});
  }

  Random random_;
  ir::Module module_;
  ir::Function& kernel_ = module_.add_function(ir::FunctionKind::kernel, "warps");
  ir::Builder b_{module_, kernel_};
  TypeId scalar_;
  std::vector<Way> ways_;
  ValueId values_, indices_, lane_;
  Memory memory_;
  std::map<std::size_t, std::string> results_;  // by parameter
};

}  // namespace

TEST_CASE("warp operations: every op in every type gives the interpreter's bits") {
  for (const std::uint32_t warp_size : {8U, 16U, 32U}) {
    for (std::size_t kind = ir::kBool.index; kind <= ir::kF64.index; ++kind) {
      INFO("warp size " << warp_size << ", " << ir::scalar_text(TypeKind(kind)));
      WarpKernel(TypeId(kind), warp_size).check();
    }
  }
}

TEST_CASE("warp operations: vectors and structs go component by component") {
  Random random;
  std::vector<float> in(256);
  for (float& x : in) {
    x = static_cast<float>(random.next() % 1000);
  }
  for (const std::uint32_t warp_size : {8U, 16U, 32U}) {
    const std::string source = fmt::format(R"(weft 1
struct Pair size 12 align 4 {{ a: f32 @0, b: vec<f32, 2> @4 }}
kernel @k(%in: buffer<vec<f32, 4>>, %sum: buffer<vec<f32, 4>>, %read: buffer<Pair>, %equal: buffer<bool>) block(64) warp({}) {{
  %v = read %in[thread_id.x]
  %s = warp_prefix_sum %v
  write %sum[thread_id.x], %s
  %x = extract %v.x
  %yz = swizzle %v.yz
  %p = make Pair %x, %yz
  %i = cast u32 %x
  %q = warp_read %p, %i
  write %read[thread_id.x], %q
  %first = warp_read_first %v
  %e = warp_all_equal %first
  write %equal[thread_id.x], %e
}}
)",
                                           warp_size);
    check_same(source, {64, 1, 1}, {bytes_of(in), Bytes(1024), Bytes(768), Bytes(64)}, ways_of_width(warp_size));
  }
}

// Memory that an op uses for itself is free before the next barrier.
TEST_CASE("warp operations and atomics take no room in frames") {
  const auto frame_bytes = [](const std::string& op) {
    const auto module = parsed(fmt::format(R"(weft 1
kernel @k(%in: buffer<u32>, %out: buffer<u32>) block(64) warp(8) {{
  %tile = shared array<u32, 64>
  %k = local u32
  loop {{
    %n = load %k
    %go = lt %n, 10
    yield %go
  }} body {{
    %at = read %in[thread_id.x]
    %place = element %tile[%at]
{}
    write %out[thread_id.x], %r
    barrier
  }} update {{
    %n1 = load %k
    %n2 = add %n1, 1
    store %k, %n2
  }}
}}
)",
                                           op));
    const auto object = jit::compile(*module, {.width = 8, .cpu = "x86-64-v3"});
    REQUIRE(object.has_value());
    const auto kernel = jit::load(object->bytes, "test");
    REQUIRE(kernel.has_value());
    return (*kernel)->info().frame_bytes;
  };
  const std::uint64_t none = frame_bytes("    %r = add %at, 1");
  CHECK(frame_bytes("    %r = warp_read %at, %at") == none);
  CHECK(frame_bytes("    %r = atomic_add %place, %at") == none);
}
