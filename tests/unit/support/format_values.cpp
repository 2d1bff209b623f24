#include "runtime/support/format_values.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>

using weft::format_values;

TEST_CASE("format_values: every type is read from the low bytes of its slot") {
  const std::array<std::uint64_t, 12> values{0xff01,
                                             0xfff0,
                                             0xfff0,
                                             0xffff0,
                                             0xffff0,
                                             0xf'ffff'fffe,
                                             0xf'ffff'fffe,
                                             ~0ULL,
                                             ~0ULL,
                                             0x3c00,
                                             std::bit_cast<std::uint32_t>(2.5F),
                                             std::bit_cast<std::uint64_t>(-0.25)};
  CHECK(format_values("{} {} {} {} {} {} {} {} {} {} {} {}", "bcCsSiIlLhfd", values) ==
        "true -16 240 -16 65520 -2 4294967294 -1 18446744073709551615 1 2.5 -0.25");
}

TEST_CASE("format_values: halves, denormal, infinite and signed zero ones too") {
  const std::array<std::uint64_t, 8> values{0x0000, 0x8000, 0x0001, 0x83ff, 0x3c00, 0x7bff, 0xfc00, 0x7e00};
  CHECK(format_values("{} {} {} {} {} {} {} {}", "hhhhhhhh", values) ==
        "0 -0 5.9604645e-08 -6.097555e-05 1 65504 -inf nan");
}

TEST_CASE("format_values: other braces stand for themselves, and places without a value stay") {
  const std::array<std::uint64_t, 1> values{7};
  CHECK(format_values("{ {} } {0} {}", "I", values) == "{ 7 } {0} {}");
}
