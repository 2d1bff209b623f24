// Control flow: regions, in functions and in macros.
#include "record.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("if: a chain nests each elif in the else before it") {
  const std::string expected = lines("%0 = local i32",       //
                                     "%1 = lt %param_0, 0",  //
                                     "if %1 {",              //
                                     "store %0, 1",          //
                                     "} else {",             //
                                     "%2 = eq %param_0, 0",  //
                                     "if %2 {",              //
                                     "store %0, 2",          //
                                     "} else {",             //
                                     "store %0, 3",          //
                                     "}",                    //
                                     "}",                    //
                                     "store %0, 4");
  CHECK(body([](Expr<int> x) {
          Int r;
          if_(x < 0, [&] { r = 1; }).elif (x == 0, [&] { r = 2; }).else_([&] { r = 3; });
          r = 4;
        }) == expected);
  CHECK(body([](Expr<int> x) {
          Int r;
          $if(x < 0) { r = 1; }
          $elif(x == 0) { r = 2; }
          $else { r = 3; };
          r = 4;
        }) == expected);
}

TEST_CASE("while: the condition is recorded into the loop") {
  const std::string expected =
      lines("%0 = local u32", "store %0, 8", "loop {", "%1 = load %0", "%2 = gt %1, 0", "yield %2", "} body {",
            "%3 = load %0", "%4 = shr %3, 1", "store %0, %4", "}", "store %0, 1");
  CHECK(body([] {
          UInt d = 8u;
          while_([&] { return d > 0u; }, [&] { d >>= 1u; });
          d = 1u;
        }) == expected);
  CHECK(body([] {
          UInt d = 8u;
          $while(d > 0u) { d >>= 1u; };
          d = 1u;
        }) == expected);
}

TEST_CASE("for: the counter changes in the loop's update, so continue reaches it") {
  const std::string expected = lines("%0 = local u32", "store %0, 0", "loop {", "%1 = load %0", "%2 = lt %1, %param_0",
                                     "yield %2", "} body {", "%3 = eq %1, 2", "if %3 {", "continue", "}", "} update {",
                                     "%4 = load %0", "%5 = add %4, 1", "store %0, %5", "}");
  CHECK(body([](Expr<uint> n) { for_(range(n), [&](Expr<uint> i) { if_(i == 2u, [] { continue_(); }); }); }) ==
        expected);
  CHECK(body([](Expr<uint> n) {
          $for(i, 0u, n) {
            $if(i == 2u) { $continue; };
          };
        }) == expected);
  CHECK(body([](Expr<uint> n) {
          $for(i, n) {
            $if(i == 2u) { $continue; };
          };
        }) == expected);
}

TEST_CASE("for: a negative step counts down, and bounds meet in one type") {
  CHECK(body([](Expr<int> n) { $for(i, n, -1, -2){}; }) ==
        lines("%0 = local i32", "store %0, %param_0", "loop {", "%1 = load %0", "%2 = gt %1, -1", "yield %2",
              "} body {", "} update {", "%3 = load %0", "%4 = add %3, -2", "store %0, %4", "}"));
  static_assert(std::same_as<decltype(range(std::declval<Int&>(), std::declval<UInt&>())), Range<uint>>);
  static_assert(std::same_as<decltype(range(10)), Range<int>>);
  static_assert(std::same_as<decltype(range(0u, std::declval<ULong&>())), Range<std::uint64_t>>);
}

TEST_CASE("for: the bounds are read once, before the loop") {
  CHECK(body([] {
          Int n = 3;
          $for(i, n) { n = i; };
        }) == lines("%0 = local i32", "store %0, 3", "%1 = load %0", "%2 = local i32", "store %2, 0", "loop {",
                    "%3 = load %2", "%4 = lt %3, %1", "yield %4", "} body {", "store %0, %3", "} update {",
                    "%5 = load %2", "%6 = add %5, 1", "store %2, %6", "}"));
}

TEST_CASE("loop: runs until it is left") {
  const std::string expected = lines("loop {", "yield true", "} body {", "if %param_0 {", "break", "}", "}");
  CHECK(body([](Expr<bool> done) { loop_([&] { if_(done, [] { break_(); }); }); }) == expected);
  CHECK(body([](Expr<bool> done) {
          $loop {
            $if(done) { $break; };
          };
        }) == expected);
}

TEST_CASE("switch: cases, several values for one, and a default that may be missing") {
  const std::string expected = lines("%0 = local i32", "switch %param_0 {", "case 0 {", "store %0, 1", "}",
                                     "case -1, 7 {", "store %0, 2", "}", "default {", "store %0, 3", "}", "}");
  CHECK(body([](Expr<int> x) {
          Int r;
          switch_(x).case_(0, [&] { r = 1; }).case_({-1, 7}, [&] { r = 2; }).default_([&] { r = 3; });
        }) == expected);
  CHECK(body([](Expr<int> x) {
          Int r;
          $switch(x) {
            $case(0) { r = 1; };
            $case(-1, 7) { r = 2; };
            $default { r = 3; };
          };
        }) == expected);
  const std::string text = body([](Expr<int> x) {
    Int r;
    $switch(x) {
      $case(0) { r = 1; };
    };
    r = 2;
  });
  CHECK(text.ends_with("\nstore %0, 2"));
}

TEST_CASE("switch: nested in a loop, break leaves the loop") {
  CHECK(body([](Expr<uint> x) {
          $loop {
            $switch(x) {
              $case(1) { $break; };
              $default {
                $switch(x) {
                  $case(2) { $return(); };
                };
              };
            };
          };
        }) == lines("loop {", "yield true", "} body {", "switch %param_0 {", "case 1 {", "break", "}", "default {",
                    "switch %param_0 {", "case 2 {", "return", "}", "default {", "}", "}", "}", "}", "}"));
}

TEST_CASE("return: ends a lane early") {
  CHECK(body([](Expr<bool> off, BufferVar<int> b) {
          $if(off) { $return(); };
          b.write(0u, 1);
        }) == lines("if %param_0 {", "return", "}", "write %param_1[0], 1"));
}

TEST_CASE("an exception that leaves a body does not harm the next kernel") {
  struct Stop {};
  CHECK_THROWS_AS((Kernel1D{"k",
                            [](Expr<int> x) {
                              $for(i, x) {
                                $if(i == 2) { throw Stop(); };
                              };
                            }}),
                  Stop);
  CHECK(body([](Expr<int> x) { keep(x + 1); }) == "%0 = add %param_0, 1");
}
