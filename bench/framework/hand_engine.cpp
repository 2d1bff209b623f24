#include <algorithm>
#include <atomic>
#include <thread>

#include "bench/framework/engine.h"

namespace weft::bench {

void Threads::for_each(std::uint32_t units, const std::function<void(std::uint32_t, std::uint32_t)>& f) const {
  if (count_ == 1) {
    f(0, units);
    return;
  }
  const std::uint32_t chunk = std::max(1U, units / (count_ * 16));
  std::atomic<std::uint32_t> next = 0;
  const auto work = [&] {
    for (std::uint32_t begin = next.fetch_add(chunk); begin < units; begin = next.fetch_add(chunk)) {
      f(begin, std::min(units, begin + chunk));
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < count_; ++i) {
    others.emplace_back(work);
  }
  work();
}

namespace {

class HandRun final : public Run {
 public:
  HandRun(const Problem& problem, unsigned threads) : problem_(problem), threads_(threads), buffers_(problem.buffers) {}

  void restore() override { buffers_ = problem_.buffers; }
  void run() override { problem_.hand(buffers_, threads_); }
  void download(std::size_t buffer, Data& to) override { to = buffers_[buffer]; }

 private:
  const Problem& problem_;
  Threads threads_;
  std::vector<Data> buffers_;
};

class Hand final : public Engine {
 public:
  explicit Hand(unsigned threads) : Engine(Kind::hand, "hand", threads) {}
  std::unique_ptr<Run> prepare(const Problem& problem) override {
    return problem.hand ? std::make_unique<HandRun>(problem, threads) : nullptr;
  }
};

}  // namespace

std::unique_ptr<Engine> make_hand(unsigned threads) { return std::make_unique<Hand>(threads); }

}  // namespace weft::bench
