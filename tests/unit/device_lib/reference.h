// The math functions in MPFR, and the distance of a result from the exact value.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace weft::test {

// An MPFR number with enough digits to judge f64 results; not copied.
class Exact {
 public:
  Exact() { mpfr_init2(value_, 120); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  void set(double x) { mpfr_set_d(value_, x, MPFR_RNDN); }  // exact for floats and doubles

 private:
  mpfr_t value_;
};

// result = name(x, y) to the digits of `result`; y is ignored by functions of one operand. Functions that are not in
// MPFR, or have an integer operand or result, are not here: false.
bool evaluate_exactly(std::string_view name, Exact& result, const Exact& x, const Exact& y);

// |got - exact| in units in the last place of the exact value as a T, denormals having the smallest unit. Infinity when
// one of the two is NaN and the other is not, when an infinity or a zero has the wrong sign, or when an infinity is got
// far from the range's end. An overflowing exact value rounds to infinity; got may be infinite if the largest finite
// number is next.
template <class T>
double ulp_error(T got, const Exact& exact) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  constexpr int kDigits = std::numeric_limits<T>::digits;
  mpfr_srcptr value = exact.get();
  if (mpfr_nan_p(value)) return std::isnan(got) ? 0 : kWrong;
  if (std::isnan(got) || std::signbit(got) != (mpfr_signbit(value) != 0)) return kWrong;
  if (mpfr_zero_p(value)) return got == 0 ? 0 : kWrong;
  if (mpfr_inf_p(value)) return std::isinf(got) ? 0 : kWrong;

  const long top = std::numeric_limits<T>::max_exponent;
  const long exponent = mpfr_get_exp(value);  // 2^(exponent - 1) <= |value| < 2^exponent
  if (exponent > top) {
    if (std::isinf(got)) return 0;
  }
  const long unit = std::max<long>(std::min(exponent, top), std::numeric_limits<T>::min_exponent) - kDigits;
  Exact difference;
  if (std::isinf(got)) {
    mpfr_set_si_2exp(difference.get(), got < 0 ? -1 : 1, top, MPFR_RNDN);
  } else {
    difference.set(got);
  }
  mpfr_sub(difference.get(), difference.get(), value, MPFR_RNDN);
  mpfr_mul_2si(difference.get(), difference.get(), -unit, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

}  // namespace weft::test
