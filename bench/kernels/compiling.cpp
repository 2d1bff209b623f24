// How long kernels take from being recorded to their first result, by their number of operators in the DSL, with 8
// barriers and without any.
#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 64;
constexpr std::uint32_t kBarriers = 8;
constexpr std::uint32_t kStepOperators = 10;

struct Step {
  Float a, b, c;

  // kStepOperators operators that depend on each other.
  void operator()(std::uint32_t number) {
    const float x = random_float(number);
    a = a * x + b;
    b = max(b - c, a * 0.5f);
    c = select(a > c, abs(b) + x, c * x);
  }
};

auto record(std::uint32_t operators, bool has_barriers) {
  return Kernel1D{"operators", block_size(kBlock), [=](BufferVar<float> data) {
                    Shared<float, std::size_t{2} * kBlock> tile;  // two halves, used in turn
                    UInt i = dispatch_id().x;
                    UInt lane = thread_id().x;
                    Step step{data.read(i), 1.f, 0.5f};
                    const std::uint32_t steps = operators / kStepOperators;
                    std::uint32_t half = 0;
                    for (std::uint32_t number = 0; number < steps; ++number) {
                      step(number);
                      const bool ends_part = (number + 1) * kBarriers / steps > number * kBarriers / steps;
                      if (has_barriers && ends_part) {
                        half = kBlock - half;
                        tile[half + lane] = step.a;
                        sync_block();
                        step.b += tile[half + kBlock - 1 - lane];
                      }
                    }
                    data.write(i, step.a + step.b + step.c);
                  }};
}

template <std::uint32_t kOperators, bool kHasBarriers>
Problem make(Scale scale) {
  const std::uint32_t operators = scale == Scale::tiny ? kOperators / 100 + 100 : kOperators;
  Problem p;
  p.buffers = {Data::filled<float>(kBlock, random_float)};
  p.launches = {{"operators", {kBlock, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("operators", [operators] { return record(operators, kHasBarriers); })};
  p.results = {{.buffer = 0, .as = Compare::words}};
  p.cold = true;
  return p;
}

const Registration kOps2{300, "compile/100", "100 operators, from recording to the first result", make<100, false>};
const Registration kOps3{301, "compile/1000", "1,000 operators", make<1'000, false>};
const Registration kOps4{302, "compile/10000", "10,000 operators", make<10'000, false>};
const Registration kOps5{303, "compile/100000", "100,000 operators", make<100'000, false>};
const Registration kBarriers2{310, "compile/100+8", "100 operators and 8 barriers", make<100, true>};
const Registration kBarriers3{311, "compile/1000+8", "1,000 operators and 8 barriers", make<1'000, true>};
const Registration kBarriers4{312, "compile/10000+8", "10,000 operators and 8 barriers", make<10'000, true>};
const Registration kBarriers5{313, "compile/100000+8", "100,000 operators and 8 barriers", make<100'000, true>};

}  // namespace
}  // namespace weft::bench
