#include "bench/framework/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace weft::bench {

namespace {

// The fastest row of the engines whose name begins so; null if there is none.
const Row* best(const Report& report, std::string_view name, bool one_thread) {
  const Row* found = nullptr;
  for (const Row& row : report.rows) {
    const bool fits = row.engine->name.starts_with(name) && (row.engine->threads == 1) == one_thread;
    if (fits && row.ok() && (found == nullptr || row.median().cpu_ms < found->median().cpu_ms)) {
      found = &row;
    }
  }
  return found;
}

const Row* weft_row(const Report& report, bool one_thread) {
  const auto row = std::ranges::find_if(report.rows, [&](const Row& r) {
    return r.engine->name == "weft" && (r.engine->threads == 1) == one_thread && r.ok();
  });
  return row == report.rows.end() ? nullptr : &*row;
}

// Ratios of one column, and their geometric mean.
class Column {
 public:
  // How many times as long `other` takes as `one`.
  std::string ratio(const Row* other, const Row* one) {
    if (other == nullptr || one == nullptr) {
      return "-";
    }
    return add(other->median().cpu_ms / one->median().cpu_ms);
  }
  std::string add(double value) {
    log_sum_ += std::log(value);
    ++count_;
    return fmt::format("{:.2f}", value);
  }
  [[nodiscard]] std::string mean() const {
    return count_ == 0 ? "-" : fmt::format("{:.2f}", std::exp(log_sum_ / count_));
  }

 private:
  double log_sum_ = 0;
  int count_ = 0;
};

std::string ms(const Row* row) { return row == nullptr ? "-" : fmt::format("{:.4g}", row->median().cpu_ms); }

constexpr std::string_view kFormat =
    "| {:<24} | {:>8} | {:>8} | {:>9} | {:>9} | {:>8} | {:>10} | {:>8} | {:>14} | {:>11} | {:>11} |\n";

}  // namespace

std::string lines_of(const Report& report) {
  std::string text = fmt::format("{}: {}\n", report.benchmark->name, report.benchmark->what);
  for (const Row& row : report.rows) {
    text += fmt::format("  {:<20} {} thread{}  ", row.engine->name, row.engine->threads,
                        row.engine->threads == 1 ? " " : "s");
    if (!row.failure.empty()) {
      text += row.failure + "\n";
      continue;
    }
    const Sample median = row.median();
    text += fmt::format("cpu {:>11.4f} ms  spread {:>4.1f} %  wall {:>11.4f} ms  first {:>8.1f} ms  {} samples\n",
                        median.cpu_ms, row.spread() * 100, median.wall_ms, row.first_ms, row.samples.size());
  }
  return text;
}

std::string table_of(const std::vector<Report>& reports) {
  std::string text = fmt::format(kFormat, "kernel, CPU ms", "hand", "weft", "weft/hand", "unchecked", "pocl",
                                 "pocl/weft", "lavapipe", "lavapipe/weft", "weft, all", "hand, all");
  text += fmt::format(kFormat, "---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:");
  Column hand;
  Column unchecked;
  Column pocl;
  Column lavapipe;
  Column weft_threads;
  Column hand_threads;
  const auto speedup = [](Column& column, const Row* one, const Row* all) {
    return one == nullptr || all == nullptr ? "-" : column.add(one->median().wall_ms / all->median().wall_ms);
  };
  for (const Report& report : reports) {
    const Row* by_hand = best(report, "hand", true);
    const Row* by_weft = weft_row(report, true);
    const Row* by_pocl = best(report, "pocl", true);
    const Row* by_lavapipe = best(report, "lavapipe", true);
    text += fmt::format(kFormat, report.benchmark->name, ms(by_hand), ms(by_weft), hand.ratio(by_hand, by_weft),
                        unchecked.ratio(by_weft, best(report, "weft, unchecked", true)), ms(by_pocl),
                        pocl.ratio(by_pocl, by_weft), ms(by_lavapipe), lavapipe.ratio(by_lavapipe, by_weft),
                        speedup(weft_threads, by_weft, weft_row(report, false)),
                        speedup(hand_threads, by_hand, best(report, "hand", false)));
  }
  text += fmt::format(kFormat, "geometric mean", "", "", hand.mean(), unchecked.mean(), "", pocl.mean(), "",
                      lavapipe.mean(), weft_threads.mean(), hand_threads.mean());
  return text;
}

nlohmann::json json_of(const std::vector<Report>& reports) {
  nlohmann::json all = nlohmann::json::array();
  for (const Report& report : reports) {
    for (const Row& row : report.rows) {
      nlohmann::json entry{
          {"kernel", report.benchmark->name}, {"engine", row.engine->name}, {"threads", row.engine->threads}};
      if (row.ok()) {
        const Sample median = row.median();
        entry.update({{"cpu_ms", median.cpu_ms},
                      {"wall_ms", median.wall_ms},
                      {"spread", row.spread()},
                      {"first_cpu_ms", row.first_ms},
                      {"samples", row.samples.size()}});
      } else {
        entry["failure"] = row.failure;
      }
      all.push_back(std::move(entry));
    }
  }
  return all;
}

}  // namespace weft::bench
