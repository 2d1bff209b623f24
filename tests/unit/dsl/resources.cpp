// Buffers, shared memory, constant data, specialisation constants, atomics.
#include "record.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("buffer: read, write, size and elements as places") {
  CHECK(body([](BufferVar<float> b, Expr<int> i) {
          b.write(i, b.read(i) + 1);
          b[i] += 2;
          keep(b.size() > 4u);
        }) == lines("%0 = read %param_0[%param_1]", "%1 = add %0, 1.0", "write %param_0[%param_1], %1",
                    "%2 = buffer_element %param_0[%param_1]", "%3 = load %2", "%4 = add %3, 2.0", "store %2, %4",
                    "%5 = buffer_size %param_0", "%6 = gt %5, 4"));
}

TEST_CASE("buffer: an assignment from another element reads before it writes") {
  CHECK(body([](BufferVar<float> b, Expr<uint> i) { b[i] = b[i + 1u]; }).find("store") != std::string::npos);
}

TEST_CASE("byte buffer: any type at any offset") {
  CHECK(body([](ByteBufferVar b, Expr<uint> at) {
          b.write(at, b.read<float3>(at + 4u) * 2.f);
          b.write(0u, 1u);
          keep(b.size() == 0u);
        }) == lines("%0 = add %param_1, 4", "%1 = byte_read vec<f32, 3> %param_0[%0]",
                    "%2 = mul %1, vec<f32, 3>(2.0, 2.0, 2.0)", "byte_write %param_0[%param_1], %2",
                    "byte_write %param_0[0], 1_u32", "%3 = buffer_size %param_0", "%4 = eq %3, 0"));
}

TEST_CASE("shared: arrays and cells") {
  CHECK(body([](Expr<uint> i) {
          Shared<float2, 4> a;
          Shared<uint> cell;
          a[i].y = 1.f;
          cell = i;
          cell += cell;
        }) == lines("%0 = shared array<vec<f32, 2>, 4>", "%1 = shared u32", "store %0[%param_0].y, 1.0",
                    "store %1, %param_0", "%2 = load %1", "%3 = load %1", "%4 = add %3, %2", "store %1, %4"));
}

TEST_CASE("constant: the same data is one global, and is only read") {
  const Constant<std::array<float, 2>> a{{1, 2}, "table"};
  const Constant<std::array<float, 2>> b{{1, 2}, "table"};
  const Constant<std::array<float, 2>> c{{1, 3}, "table"};
  const Kernel1D k{"k", [&](Expr<uint> i) { a[i] + b[i] + c[i] + c.read()[1]; }};
  const std::string text = ir::print(*k.module());
  CHECK(text.find("const @table: array<f32, 2> = [1.0, 2.0]") != std::string::npos);
  CHECK(text.find("const @table_2: array<f32, 2> = [1.0, 3.0]") != std::string::npos);
  CHECK(text.find("@table_3") == std::string::npos);
  CHECK(body_of(*k.module()).starts_with("%0 = load @table[%param_0]\n%1 = load @table[%param_0]"));
}

TEST_CASE("specialisation constant: id, default and name") {
  const Spec<UInt> samples{3, 16, "samples"};
  const Spec<float> scale{4, 0.5f};
  const Kernel1D k{"k", [&](Expr<uint> i) { scale* i + samples; }};
  const std::string text = ir::print(*k.module());
  CHECK(text.find("spec @samples: u32 = 16 id(3)") != std::string::npos);
  CHECK(text.find("spec @spec_4: f32 = 0.5 id(4)") != std::string::npos);
  CHECK(body_of(*k.module()) == lines("%0 = spec @spec_4", "%1 = cast f32 %param_0", "%2 = mul %0, %1",
                                      "%3 = cast f32 @samples", "%4 = add %2, %3"));
}

TEST_CASE("atomic: each member records its op and gives the value before") {
  CHECK(body([](BufferVar<int> b) {
          auto a = b.atomic(0u);
          Int old = a.fetch_add(1);
          a.fetch_sub(1);
          a.fetch_and(1);
          a.fetch_or(1);
          a.fetch_xor(1);
          a.fetch_min(1);
          a.fetch_max(1);
          a.exchange(1);
          a.compare_exchange(1, 2);
          a.store(a.load());
        }) == lines("%0 = buffer_element %param_0[0]", "%1 = atomic_add %0, 1", "%2 = local i32", "store %2, %1",
                    "atomic_sub %0, 1", "atomic_and %0, 1", "atomic_or %0, 1", "atomic_xor %0, 1", "atomic_min %0, 1",
                    "atomic_max %0, 1", "atomic_exchange %0, 1", "atomic_compare_exchange %0, 1, 2",
                    "%11 = atomic_load %0", "atomic_store %0, %11"));
}

TEST_CASE("atomic: on members, shared memory, and floats") {
  CHECK(body([](BufferVar<float2> b, Expr<uint> i) {
          Shared<uint, 4> counts;
          counts.atomic(i).fetch_add(1);
          atomic(b[i].y).fetch_sub(i);
          memory_fence();
        }) == lines("%0 = shared array<u32, 4>", "atomic_add %0[%param_1], 1", "%2 = buffer_element %param_0[%param_1]",
                    "%3 = cast f32 %param_1", "%4 = neg %3", "atomic_add %2.y, %4", "fence"));
}

template <class T>
concept HasFetchOr = requires(AtomicRef<T> a) { a.fetch_or(T(1)); };

TEST_CASE("atomic: only numbers of 32 and 64 bits have them") {
  static_assert(AtomicValue<std::uint64_t> && AtomicValue<float> && AtomicValue<double>);
  static_assert(!AtomicValue<bool> && !AtomicValue<half> && !AtomicValue<short> && !AtomicValue<float2>);
  static_assert(HasFetchOr<int> && !HasFetchOr<float>);
}
