// Whether the bounds in docs/math.md are those of the device library's table.
#include <fmt/format.h>

#include <string>

#include "runtime/device_lib/math.h"
#include "tests/docs/generated_part.h"

namespace {

std::string bound(double ulp) {
  if (ulp == 0) return "exact";
  return ulp == 0.5 ? "rounded" : fmt::format("{}", ulp);
}

std::string fast_bound(double ulp, std::string_view domain) {
  return ulp == 0 ? "as strict" : fmt::format("{}: {}", ulp, domain);
}

std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string bounds() {
  std::string text =
      "| function | what it gives | strict, f32 | strict, f64 | fast, f32 | fast, f64 | method |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const weft::device_lib::MathFunction& f : weft::device_lib::math_functions()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", f.name, in_cell(f.meaning), bound(f.ulp_f32),
                        bound(f.ulp_f64), in_cell(fast_bound(f.fast_ulp_f32, f.fast_domain_f32)),
                        in_cell(fast_bound(f.fast_ulp_f64, f.fast_domain_f64)), in_cell(f.method));
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) { return weft::test::check_generated_part(count, arguments, "math", bounds()); }
