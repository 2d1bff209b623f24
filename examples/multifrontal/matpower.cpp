// MATPOWER cases (Zimmerman, Murillo-Sanchez: MATPOWER User's Manual, appendix B): of the language that they are
// written in, assignments of numbers and of tables of numbers to fields of `mpc`; anything else is passed over.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <unordered_map>

#include "examples/multifrontal/grid.h"
#include "examples/multifrontal/words.h"

namespace multifrontal {

namespace {

struct Row {
  std::size_t line = 0;
  std::vector<double> values;
};

struct Case {
  std::map<std::string, std::vector<Row>, std::less<>> tables;
  std::map<std::string, Row, std::less<>> numbers;
};

class CaseReader {
 public:
  explicit CaseReader(const std::filesystem::path& file) : file_(file), in_(open_input(file)) {}

  Case read() {
    std::string line;
    while (std::getline(in_, line)) {
      ++line_number_;
      const std::string_view code = std::string_view(line).substr(0, line.find('%'));
      if (table_ != nullptr) {
        read_rows(code);
      } else {
        read_assignment(code);
      }
    }
    if (table_ != nullptr) {
      throw InputError(file_, table_line_, fmt::format("table 'mpc.{}' is not closed by ']'", table_name_));
    }
    return std::move(case_);
  }

 private:
  void read_assignment(std::string_view code) {
    const std::size_t equals = code.find('=');
    const std::vector<std::string_view> left = split_words(code.substr(0, equals));
    if (equals == std::string_view::npos || left.size() != 1 || !left[0].starts_with("mpc.")) {
      return;
    }
    const std::string name(left[0].substr(4));
    const std::string_view right = code.substr(equals + 1);
    const std::vector<std::string_view> words = split_words(right, " \t\r;");
    if (!words.empty() && words[0].starts_with('[')) {
      table_ = &case_.tables[name];
      table_name_ = name;
      table_line_ = line_number_;
      row_.clear();
      read_rows(right.substr(right.find('[') + 1));
    } else if (double value = 0; words.size() == 1 && parse_number(words[0], value)) {
      case_.numbers[name] = {line_number_, {value}};
    }
  }

  // Numbers; a row ends at ';' and at the end of the line.
  void read_rows(std::string_view code) {
    const std::size_t close = code.find(']');
    std::string_view rest = code.substr(0, close);
    while (!rest.empty()) {
      const std::size_t end = rest.find(';');
      for (const std::string_view word : split_words(rest.substr(0, end), " \t\r,")) {
        double value = 0;
        if (!parse_value(word, value)) {
          throw InputError(file_, line_number_, fmt::format("'{}' in table 'mpc.{}' is no number", word, table_name_));
        }
        row_.push_back(value);
      }
      end_row();
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    if (close != std::string_view::npos) {
      table_ = nullptr;
    }
  }

  void end_row() {
    if (!row_.empty()) {
      table_->push_back({line_number_, std::move(row_)});
      row_.clear();
    }
  }

  static bool parse_value(std::string_view word, double& value) {
    const std::string text = lower(word);
    if (text == "inf" || text == "-inf") {
      value = text == "inf" ? 1e10 : -1e10;  // what MATPOWER takes for unbounded
      return true;
    }
    return parse_number(word, value) && std::isfinite(value);
  }

  const std::filesystem::path& file_;
  std::ifstream in_;
  std::size_t line_number_ = 0;
  Case case_;
  std::vector<Row>* table_ = nullptr;
  std::string table_name_;
  std::size_t table_line_ = 0;
  std::vector<double> row_;
};

class GridBuilder {
 public:
  GridBuilder(const std::filesystem::path& file, const Case& tables) : file_(file), case_(tables) {}

  Grid build() {
    read_base();
    for (const Row& row : table("bus", 13)) {
      add_bus(row);
    }
    read_generators();
    for (const Row& row : table("branch", 11)) {
      add_branch(row);
    }
    return std::move(grid_);
  }

 private:
  void read_base() {
    const auto found = case_.numbers.find("baseMVA");
    if (found == case_.numbers.end()) {
      throw InputError(file_, 0, "no number is assigned to 'mpc.baseMVA'");
    }
    base_ = found->second.values[0];
    if (!(base_ > 0) || !std::isfinite(base_)) {
      throw InputError(file_, found->second.line,
                       fmt::format("'mpc.baseMVA' is {}, expected a finite number above 0", base_));
    }
  }

  const std::vector<Row>& table(const char* name, std::size_t columns) const {
    const auto found = case_.tables.find(name);
    if (found == case_.tables.end() || found->second.empty()) {
      throw InputError(file_, 0, fmt::format("no table 'mpc.{}', or an empty one", name));
    }
    for (const Row& row : found->second) {
      if (row.values.size() < columns) {
        throw InputError(
            file_, row.line,
            fmt::format("a row of 'mpc.{}' has {} columns, expected at least {}", name, row.values.size(), columns));
      }
    }
    return found->second;
  }

  void add_bus(const Row& row) {
    const std::vector<double>& v = row.values;
    if (!buses_.emplace(v[0], static_cast<std::uint32_t>(grid_.buses.size())).second) {
      throw InputError(file_, row.line, fmt::format("bus {} is given twice", v[0]));
    }
    if (!(v[7] > 0)) {
      throw InputError(file_, row.line, fmt::format("bus {} has voltage {}, expected more than 0", v[0], v[7]));
    }
    grid_.buses.push_back({v[4] / base_, v[5] / base_, v[7], v[8] * kRadians, v[12], v[11]});
  }

  std::uint32_t bus(const Row& row, double number) const {
    const auto found = buses_.find(number);
    if (found == buses_.end()) {
      throw InputError(file_, row.line, fmt::format("there is no bus {}", number));
    }
    return found->second;
  }

  void read_generators() {
    const std::vector<Row>& generators = table("gen", 10);
    const std::vector<Row>& costs = table("gencost", 4);
    if (costs.size() < generators.size()) {
      throw InputError(
          file_, costs.back().line,
          fmt::format("table 'mpc.gencost' has {} rows for {} generators", costs.size(), generators.size()));
    }
    for (std::size_t i = 0; i < generators.size(); ++i) {
      const std::vector<double>& v = generators[i].values;
      const std::uint32_t at = bus(generators[i], v[0]);
      if (v[7] > 0) {
        grid_.generators.push_back(
            {at, v[9] / base_, v[8] / base_, v[4] / base_, v[3] / base_, quadratic_cost(costs[i])});
      }
    }
  }

  // Of a polynomial of degree 2, in units of 10^4 a base unit squared, so that it is of the order of the other terms.
  double quadratic_cost(const Row& cost) const {
    const bool quadratic = cost.values[0] == 2 && cost.values[3] == 3 && cost.values.size() >= 7;
    return quadratic ? std::abs(cost.values[4]) * base_ * base_ * 1e-4 : 0.0;
  }

  void add_branch(const Row& row) {
    const std::vector<double>& v = row.values;
    const std::uint32_t from = bus(row, v[0]);
    const std::uint32_t to = bus(row, v[1]);
    if (v[2] == 0 && v[3] == 0) {
      throw InputError(file_, row.line, fmt::format("branch {} - {} has no impedance", v[0], v[1]));
    }
    if (from == to) {
      throw InputError(file_, row.line, fmt::format("branch {} - {} ends where it begins", v[0], v[1]));
    }
    if (v[10] > 0) {
      grid_.branches.push_back({from, to, v[2], v[3], v[4], v[5] / base_, v[8] == 0 ? 1.0 : v[8], v[9] * kRadians});
    }
  }

  static constexpr double kRadians = std::numbers::pi / 180;

  const std::filesystem::path& file_;
  const Case& case_;
  double base_ = 0;
  std::unordered_map<double, std::uint32_t> buses_;
  Grid grid_;
};

}  // namespace

Grid read_matpower(const std::filesystem::path& file) { return GridBuilder(file, CaseReader(file).read()).build(); }

}  // namespace multifrontal
