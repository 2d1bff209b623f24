// Where the time goes: scopes, one inside another.
#include "runtime/support/stage_times.h"

#include <catch2/catch.hpp>

#include <ctime>
#include <thread>

namespace {

using weft::Stage;

// Works for so many milliseconds of this thread's CPU time.
void work(int ms) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  for (const double end = now() + ms; now() < end;) {}
}

double ms(const weft::StageTimes& times, Stage stage) { return static_cast<double>(times[stage]) / 1e6; }

}  // namespace

TEST_CASE("stage times: an inner scope's time is not the outer's") {
  weft::StageTimes times;
  {
    const weft::CollectStageTimes collect(times);
    const weft::StageScope lower(Stage::lower);
    work(4);
    {
      const weft::StageScope analyse(Stage::analyse);
      work(12);
    }
    work(4);
  }
  CHECK(ms(times, Stage::lower) >= 8);
  CHECK(ms(times, Stage::lower) < 12);
  CHECK(ms(times, Stage::analyse) >= 12);
  CHECK(times.total_ns() == times[Stage::lower] + times[Stage::analyse]);
}

TEST_CASE("stage times: what other threads do, and what nobody collects, does not count") {
  weft::StageTimes times;
  {
    const weft::CollectStageTimes collect(times);
    const weft::StageScope scope(Stage::link);
    std::thread([] {
      const weft::StageScope other(Stage::optimise);
      work(10);
    }).join();
  }
  const weft::StageScope late(Stage::generate);
  work(1);
  CHECK(times[Stage::optimise] == 0);
  CHECK(times[Stage::generate] == 0);
  CHECK(ms(times, Stage::link) < 10);
}

TEST_CASE("stage times: the text names the stages that took part") {
  weft::StageTimes times;
  times.ns[static_cast<std::size_t>(Stage::lower)] = 1'500'000;
  times.ns[static_cast<std::size_t>(Stage::link)] = 250'000;
  CHECK(times.text() == "1.75 ms (lower 1.50, link 0.25)");
}
