// Casts between all scalar types at interesting operands, and bit casts.
#include "tests/unit/interp/operands.h"

using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

template <class To>
std::string cast_to() {
  return std::string("cast ") + kTypeText<To>;
}

// What the table says of a cast, by way of the 64 bit significand of long double, which holds every operand exactly.
template <class To, class From>
To expected_cast(From a) {
  const auto exact = static_cast<long double>(a);
  if constexpr (Boolean<To>) {
    return exact != 0;
  } else if constexpr (Floating<To>) {
    return static_cast<To>(exact);
  } else if constexpr (Floating<From>) {
    const auto low = static_cast<long double>(std::numeric_limits<To>::min());
    const auto high = static_cast<long double>(std::numeric_limits<To>::max());
    if (std::isnan(exact)) return 0;
    return exact < low    ? std::numeric_limits<To>::min()
           : exact > high ? std::numeric_limits<To>::max()
                          : static_cast<To>(std::trunc(exact));
  } else {
    return static_cast<To>(static_cast<std::uint64_t>(static_cast<__int128>(a)));
  }
}

template <class From>
void check_casts_from() {
  for_integers([]<class To>() { check_op<To, From>(cast_to<To>(), expected_cast<To, From>); });
  for_floats([]<class To>() { check_op<To, From>(cast_to<To>(), expected_cast<To, From>); });
  check_op<bool, From>(cast_to<bool>(), expected_cast<bool, From>);
}

}  // namespace

TEST_CASE("convert: casts from integers") {
  for_integers([]<class From>() { check_casts_from<From>(); });
}

TEST_CASE("convert: casts from floats saturate") {
  for_floats([]<class From>() { check_casts_from<From>(); });
}

TEST_CASE("convert: casts from bool") { check_casts_from<bool>(); }

TEST_CASE("convert: a bit cast keeps the bits") {
  check_op<std::uint32_t, float>("bitcast u32", [](float a) { return std::bit_cast<std::uint32_t>(a); });
  check_op<float, std::int32_t>("bitcast f32", [](std::int32_t a) { return std::bit_cast<float>(a); });
  check_op<std::int64_t, double>("bitcast i64", [](double a) { return std::bit_cast<std::int64_t>(a); });
  check_op<Half, std::uint16_t>("bitcast f16", [](std::uint16_t a) { return std::bit_cast<Half>(a); });
  check_op<std::uint8_t, std::int8_t>("bitcast u8", [](std::int8_t a) { return static_cast<std::uint8_t>(a); });
}
