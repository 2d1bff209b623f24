// What is printed: a line for each engine as soon as a benchmark is done, a table of all at the end, and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/framework/runner.h"

namespace weft::bench {

struct Report {
  const Registration* benchmark;
  std::vector<Row> rows;
};

std::string lines_of(const Report& report);

// One row for each benchmark, in Markdown: CPU time on one thread, beside hand-written code and the best of each peer,
// then how much faster all threads are; geometric means last.
std::string table_of(const std::vector<Report>& reports);

nlohmann::json json_of(const std::vector<Report>& reports);

}  // namespace weft::bench
