#include "tools/report.h"

#include "codegen/ir/text/literal.h"
#include "runtime/support/files.h"
#include "runtime/support/separators.h"
#include "tools/commands.h"
#include "tools/npy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <span>

namespace weft::tools {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double least(const std::vector<double>& values) { return *std::ranges::min_element(values); }

// All buffers once, in the median time.
double gigabytes_per_second(const RunReport& report) {
  return static_cast<double>(report.buffer_bytes) / (median(report.run_ms) * 1e6);
}

// Few digits for people.
std::string show(double value) {
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.2g}", value);
}

// The numbers of the elements that are shown.
std::vector<std::string> numbers_of(const PrintedArray& array) {
  const std::uint64_t size = scalar_size_bytes(array.type.scalar);
  const std::uint64_t available = array.bytes.size() / size;
  const std::uint64_t per_element = array.type.scalar_count();
  const std::uint64_t wanted = array.count > available / per_element ? available : array.count * per_element;
  std::vector<std::string> numbers;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.bytes.data() + i * size, size);
    numbers.push_back(ir::scalar_literal(array.type.scalar, bits));
  }
  return numbers;
}

std::string to_text(const PrintedArray& array) {
  const std::vector<std::string> numbers = numbers_of(array);
  const std::uint64_t per_element = array.type.scalar_count();
  std::string text = array.name + " =";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool opens = per_element > 1 && i % per_element == 0;
    const bool closes = per_element > 1 && (i + 1) % per_element == 0;
    text += fmt::format("{}{}{}{}", i % per_element == 0 ? " " : ", ", opens ? "(" : "", numbers[i], closes ? ")" : "");
  }
  const bool is_whole = numbers.size() * scalar_size_bytes(array.type.scalar) == array.bytes.size();
  return text + (is_whole ? "\n" : " ...\n");
}

std::string times_text(const RunReport& report) {
  std::string text = fmt::format("  compile {} ms  run {} ms", show(report.compile_ms), show(median(report.run_ms)));
  if (report.run_ms.size() > 1)
    text += fmt::format(" (least {} of {})", show(least(report.run_ms)), report.run_ms.size());
  if (report.buffer_bytes > 0) text += fmt::format(", {} GB/s", show(gigabytes_per_second(report)));
  return text;
}

}  // namespace

std::string to_text(const RunReport& report) {
  std::string text;
  for (const PrintedArray& array : report.arrays) text += to_text(array);
  if (!report.has_times) return text;
  const bool one = report.workers == 1;
  return text + fmt::format("{}  {} lanes{}  {} worker{}\n", report.kernel.name, with_separators(report.lanes),
                            times_text(report), report.workers, one ? "" : "s");
}

std::string to_json(const RunReport& report) {
  nlohmann::ordered_json out = {{"kernel", report.kernel.name},
                                {"device", report.device},
                                {"lanes", report.lanes},
                                {"pack_width", report.kernel.pack_width},
                                {"workers", report.workers}};
  if (report.has_times) {
    out["compile_ms"] = report.compile_ms;
    out["run_ms"] = {
        {"median", median(report.run_ms)}, {"least", least(report.run_ms)}, {"count", report.run_ms.size()}};
    out["gigabytes_per_second"] = gigabytes_per_second(report);
  }
  nlohmann::ordered_json arrays = nlohmann::ordered_json::object();
  for (const PrintedArray& array : report.arrays) arrays[array.name] = numbers_of(array);
  out["arrays"] = std::move(arrays);
  return json_text(out);
}

void write_array(const std::string& file, const ValueType& type, const std::vector<std::byte>& bytes) {
  if (!file.ends_with(".npy")) {
    write_file(file, bytes);
    return;
  }
  std::vector<std::uint64_t> shape{bytes.size() / type.size_bytes};
  shape.insert(shape.end(), type.shape.begin(), type.shape.end());
  const std::string content = write_npy(type.scalar, shape, bytes);
  write_file(file, std::as_bytes(std::span(content)));
}

}  // namespace weft::tools
