#include "tests/unit/device_lib/reference.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::test {

namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

// MPFR takes 1 / sqrt(-0) for +infinity.
int reciprocal_sqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  const int inexact = mpfr_rec_sqrt(result, x, rounding);
  if (mpfr_zero_p(x)) mpfr_setsign(result, result, mpfr_signbit(x), rounding);
  return inexact;
}

constexpr std::pair<std::string_view, Unary> kUnary[] = {
    {"sin", mpfr_sin},     {"cos", mpfr_cos},         {"tan", mpfr_tan},   {"asin", mpfr_asin},   {"acos", mpfr_acos},
    {"atan", mpfr_atan},   {"sinh", mpfr_sinh},       {"cosh", mpfr_cosh}, {"tanh", mpfr_tanh},   {"asinh", mpfr_asinh},
    {"acosh", mpfr_acosh}, {"atanh", mpfr_atanh},     {"exp", mpfr_exp},   {"exp2", mpfr_exp2},   {"exp10", mpfr_exp10},
    {"expm1", mpfr_expm1}, {"log", mpfr_log},         {"log2", mpfr_log2}, {"log10", mpfr_log10}, {"log1p", mpfr_log1p},
    {"cbrt", mpfr_cbrt},   {"rsqrt", reciprocal_sqrt}};
constexpr std::pair<std::string_view, Binary> kBinary[] = {
    {"atan2", mpfr_atan2}, {"pow", mpfr_pow}, {"hypot", mpfr_hypot}, {"fmod", mpfr_fmod}};

template <class Function, std::size_t N>
Function find(const std::pair<std::string_view, Function> (&table)[N], std::string_view name) {
  const auto* found = std::ranges::find(table, name, &std::pair<std::string_view, Function>::first);
  return found == std::end(table) ? nullptr : found->second;
}

}  // namespace

bool evaluate_exactly(std::string_view name, Exact& result, const Exact& x, const Exact& y) {
  if (const Unary function = find(kUnary, name)) {
    function(result.get(), x.get(), MPFR_RNDN);
    return true;
  }
  if (const Binary function = find(kBinary, name)) {
    function(result.get(), x.get(), y.get(), MPFR_RNDN);
    return true;
  }
  return false;
}

}  // namespace weft::test
