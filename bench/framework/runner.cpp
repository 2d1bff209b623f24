#include "bench/framework/runner.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>

namespace weft::bench {

namespace {

double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

template <typename F>
Sample timed(F&& f) {
  const auto wall = std::chrono::steady_clock::now();
  const double cpu = cpu_ms();
  f();
  return {cpu_ms() - cpu, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall).count()};
}

template <typename T, typename Differs>
std::string compare(std::span<const T> got, std::span<const T> expected, double may_differ, Differs differs) {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (differs(got[i], expected[i])) {
      first = count == 0 ? i : first;
      ++count;
    }
  }
  if (static_cast<double>(count) <= may_differ * static_cast<double>(got.size())) {
    return {};
  }
  return fmt::format("wrong: {} of {} elements, element {} is {}, expected {}", count, got.size(), first, got[first],
                     expected[first]);
}

std::string compare(const Result& result, const Data& got, const Data& expected) {
  if (result.as == Compare::words) {
    return compare(got.as<std::uint32_t>(), expected.as<std::uint32_t>(), result.may_differ, std::not_equal_to());
  }
  const auto differs = [&](float a, float b) {
    return !(std::abs(a - b) <= result.tolerance * std::max(1.0F, std::abs(b)));
  };
  return compare(got.as<float>(), expected.as<float>(), result.may_differ, differs);
}

// One engine's part in a benchmark.
struct Contender {
  Engine* engine;
  Row row;
  std::unique_ptr<Run> run = nullptr;
  unsigned batch = 1;  // runs of one sample, so that short ones are seen by the clocks
  double spent_ms = 0;
};

class Measurement {
 public:
  Measurement(const Registration& benchmark, const Settings& settings)
      : problem_(benchmark.make(settings.scale)), settings_(settings) {}

  void enter(Engine& engine) {
    Contender c{.engine = &engine, .row = {.engine = &engine, .failure = {}, .first_ms = 0, .samples = {}}};
    try {
      Sample warm_up;
      c.row.first_ms = first_run(c, warm_up).cpu_ms;
      if (c.run == nullptr) {
        return;
      }
      c.row.failure = check(*c.run);
      if (!problem_.cold && !problem_.restores && warm_up.wall_ms < 1) {
        c.batch = static_cast<unsigned>(std::clamp(1 / warm_up.wall_ms, 1.0, 100.0));
      }
    } catch (const std::exception& e) {
      c.row.failure = e.what();
    }
    contenders_.push_back(std::move(c));
  }

  void round(unsigned number) {
    for (Contender& c : contenders_) {
      if (c.row.failure.empty() && (number < 3 || c.spent_ms < settings_.budget_ms)) {
        c.row.samples.push_back(sample(c));
        c.spent_ms += c.row.samples.back().wall_ms * c.batch;
      }
    }
  }

  std::vector<Row> rows() && {
    std::vector<Row> rows;
    for (Contender& c : contenders_) {
      rows.push_back(std::move(c.row));
    }
    return rows;
  }

 private:
  // Compiles and runs once; leaves `c.run` null if the engine has no form of the problem.
  Sample first_run(Contender& c, Sample& warm_up) {
    const Sample prepared = timed([&] { c.run = c.engine->prepare(problem_); });
    if (c.run == nullptr) {
      return prepared;
    }
    c.run->restore();
    warm_up = timed([&] { c.run->run(); });
    return {prepared.cpu_ms + warm_up.cpu_ms, prepared.wall_ms + warm_up.wall_ms};
  }

  Sample sample(Contender& c) {
    if (problem_.cold) {
      Sample warm_up;
      return first_run(c, warm_up);
    }
    if (problem_.restores) {
      c.run->restore();
    }
    const Sample all = timed([&] {
      for (unsigned i = 0; i < c.batch; ++i) {
        c.run->run();
      }
    });
    return {all.cpu_ms / c.batch, all.wall_ms / c.batch};
  }

  // The results of the first engine are what the others have to give.
  std::string check(Run& run) {
    std::string failure;
    for (std::size_t i = 0; i < problem_.results.size(); ++i) {
      const Result& result = problem_.results[i];
      Data got = problem_.buffers[result.buffer];
      run.download(result.buffer, got);
      if (expected_.size() <= i) {
        expected_.push_back(std::move(got));
      } else if (failure.empty()) {
        failure = compare(result, got, expected_[i]);
      }
    }
    return failure;
  }

  Problem problem_;
  const Settings& settings_;
  std::vector<Contender> contenders_;
  std::vector<Data> expected_;
};

}  // namespace

Sample Row::median() const {
  std::vector<Sample> sorted = samples;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle, {}, &Sample::cpu_ms);
  Sample result = *middle;
  std::ranges::nth_element(sorted, middle, {}, &Sample::wall_ms);
  result.wall_ms = middle->wall_ms;
  return result;
}

double Row::spread() const {
  std::vector<double> sorted;
  for (const Sample& s : samples) {
    sorted.push_back(s.cpu_ms);
  }
  std::ranges::sort(sorted);
  const std::size_t quarter = sorted.size() / 4;
  return (sorted[sorted.size() - 1 - quarter] - sorted[quarter]) / sorted[sorted.size() / 2];
}

std::vector<Row> measure(const Registration& benchmark, const Engines& engines, const Settings& settings) {
  Measurement measurement(benchmark, settings);
  for (const std::unique_ptr<Engine>& engine : engines) {
    measurement.enter(*engine);
  }
  for (unsigned round = 0; round < settings.rounds; ++round) {
    measurement.round(round);
  }
  return std::move(measurement).rows();
}

}  // namespace weft::bench
