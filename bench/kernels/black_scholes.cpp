// Prices of European options (Black and Scholes 1973), with the distribution function of Abramowitz and Stegun 26.2.17.
#include "bench/framework/registry.h"
#include "bench/framework/simd_math.h"

namespace weft::bench {
namespace {

constexpr float kRate = 0.02F;
constexpr float kVolatility = 0.3F;
constexpr float kRootOfTwoPi = 0.39894228F;

Floats normal_distribution(Floats d) {
  const Floats k = 1.F / (1.F + 0.2316419F * abs(d));
  const Floats tail =
      kRootOfTwoPi * exp(-0.5F * d * d) *
      (k * (0.31938153F + k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F)))));
  return d > 0.F ? 1.F - tail : tail;
}

void black_scholes(std::span<Data> buffers, const Threads& threads) {
  const std::span<const float> price = buffers[0].as<float>();
  const std::span<const float> strike = buffers[1].as<float>();
  const std::span<const float> years = buffers[2].as<float>();
  const std::span<float> call = buffers[3].as<float>();
  const std::span<float> put = buffers[4].as<float>();
  threads.for_each(static_cast<std::uint32_t>(price.size() / kLanes), [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = std::size_t{begin} * kLanes; i < std::size_t{end} * kLanes; i += kLanes) {
      const Floats s = load(&price[i]);
      const Floats x = load(&strike[i]);
      const Floats t = load(&years[i]);
      const Floats root = sqrt(t);
      const Floats d1 = (log(s / x) + (kRate + 0.5F * kVolatility * kVolatility) * t) / (kVolatility * root);
      const Floats d2 = d1 - kVolatility * root;
      const Floats n1 = normal_distribution(d1);
      const Floats n2 = normal_distribution(d2);
      const Floats discounted = x * exp(-kRate * t);
      store(&call[i], s * n1 - discounted * n2);
      store(&put[i], discounted * (1.F - n2) - s * (1.F - n1));
    }
  });
}

Callable distribution{
    "normal_distribution", [](Float d) {
      Float k = 1.f / (1.f + 0.2316419f * abs(d));
      Float tail =
          kRootOfTwoPi * exp(-0.5f * d * d) *
          (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
      return select(d > 0.f, 1.f - tail, tail);
    }};

auto record() {
  return Kernel1D{"black_scholes", block_size(256),
                  [](BufferVar<float> price, BufferVar<float> strike, BufferVar<float> years, BufferVar<float> call,
                     BufferVar<float> put) {
                    UInt i = dispatch_id().x;
                    Float s = price.read(i);
                    Float x = strike.read(i);
                    Float t = years.read(i);
                    Float root = sqrt(t);
                    Float d1 = (log(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / (kVolatility * root);
                    Float n1 = distribution(d1);
                    Float n2 = distribution(d1 - kVolatility * root);
                    Float discounted = x * exp(-kRate * t);
                    call.write(i, s * n1 - discounted * n2);
                    put.write(i, discounted * (1.f - n2) - s * (1.f - n1));
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 4U << 20;
  const auto between = [n](float low, float high, std::size_t first) {
    return Data::filled<float>(n, [=](std::size_t i) { return low + (high - low) * random_float(i + first); });
  };
  Problem p;
  p.buffers = {between(5, 30, 0), between(1, 100, n), between(0.25F, 10, std::size_t{2} * n), Data::zeros<float>(n),
               Data::zeros<float>(n)};
  p.results = {{.buffer = 3, .tolerance = 1e-4}, {.buffer = 4, .tolerance = 1e-4}};
  p.launches = {{"black_scholes", {n, 1, 1}, {256, 1, 1}, {}}};
  p.kernels = {weft_kernel("black_scholes", record)};
  p.hand = black_scholes;
  p.source = "black_scholes";
  return p;
}

const Registration kBlackScholes{230, "black_scholes", "prices of 4M options", make};

}  // namespace
}  // namespace weft::bench
