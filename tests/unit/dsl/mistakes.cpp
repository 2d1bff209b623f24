// Misuse of the DSL: each is an error that names the line of the user's code and what to do.
#include "record.h"

#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

// Runs a lambda as a kernel and checks the message, and that the place is in this file.
template <class F>
std::uint32_t check(const F& lambda, std::string_view message) {
  const DslError::Details m = mistake([&] { Kernel1D{"wrong", lambda}; });
  CHECK(m.message == message);
  CHECK(m.file.ends_with("tests/unit/dsl/mistakes.cpp"));
  return m.line;
}

}  // namespace

#define WEFT_TEST_HERE static_cast<std::uint32_t>(__LINE__)

TEST_CASE("mistake: a value outside of its scope") {
  std::uint32_t here = 0;
  const auto kernel = [&](Expr<bool> c, Expr<int> x) {
    std::optional<Expr<int>> kept;
    $if(c) { kept.emplace(x + 1); };
    here = WEFT_TEST_HERE + 1;
    keep(*kept * 2);
  };
  CHECK(check(kernel, "a value is used outside of the scope that it was made in") == here);
}

TEST_CASE("mistake: a variable outside of its scope") {
  check(
      [](Expr<bool> c) {
        std::optional<Float> kept;
        $while(c) { kept.emplace(1.f); };
        keep(*kept + 1);
      },
      "a value is used outside of the scope that it was made in");
}

TEST_CASE("mistake: a value of a kernel that has ended") {
  std::optional<Expr<int>> kept;
  Kernel1D{"first", [&](Expr<int> x) { kept.emplace(x); }};
  check([&] { keep(*kept + 1); },
        "a value is used in 'wrong' that belongs to a kernel or callable whose lambda has ended");
}

TEST_CASE("mistake: a value of the kernel in a callable") {
  check(
      [](Expr<int> x) {
        const Callable f{"f", [&] { return x + 1; }};
        f();
      },
      "a value of 'wrong' is used in 'f': hand it over as a parameter");
}

TEST_CASE("mistake: a value of the outer kernel in a kernel made inside") {
  check([](Expr<int> x) { Kernel1D{"inner", [&] { keep(x + 1); }}; },
        "a value of 'wrong' is used in 'inner': hand it over as a parameter");
}

TEST_CASE("mistake: recording on another thread") {
  check(
      [](Expr<int> x) {
        std::exception_ptr error;
        std::thread([&] {
          try {
            keep(x + 1);
          } catch (...) {
            error = std::current_exception();
          }
        }).join();
        std::rethrow_exception(error);
      },
      "add is used outside of a kernel; it can only be recorded while the lambda of a kernel or callable runs");
}

TEST_CASE("mistake: recording outside of any kernel") {
  const auto line = WEFT_TEST_HERE + 1;
  const auto m = mistake([] { Float x = 1.f; });
  CHECK(
      m.message ==
      "a variable is used outside of a kernel; it can only be recorded while the lambda of a kernel or callable runs");
  CHECK(m.line == line);
  CHECK(mistake([] { sync_block(); }).message.starts_with("barrier is used outside of a kernel"));
  CHECK(mistake([] { break_(); }).message.starts_with("break_ is used outside of a kernel"));
  CHECK(mistake([] { return_(); }).message.starts_with("return_ is used outside of a kernel"));
  CHECK(mistake([] { Shared<int, 4> s; }).message.starts_with("Shared is used outside of a kernel"));
  CHECK(mistake([] { loop_([] {}); }).message.starts_with("a loop is used outside of a kernel"));
  const Callable f{"f", [](Expr<int> x) { return x; }};
  CHECK(mistake([&] { f(1); }).message.starts_with("a call of a callable is used outside of a kernel"));
}

TEST_CASE("mistake: break and continue without a loop") {
  check([] { break_(); }, "break_ stands outside of any loop");
  check(
      [](Expr<bool> c) {
        $if(c) { $continue; };
      },
      "continue_ stands outside of any loop");
  check(
      [](Expr<int> x) {
        $switch(x) {
          $case(0) { $break; };
        };
      },
      "break_ stands outside of any loop");
  check(
      [](Expr<bool> c) {
        while_(
            [&] {
              break_();
              return c;
            },
            [] {});
      },
      "break_ stands in a loop's condition, expected in its body");
  check(
      [](Expr<bool> c) {
        $while(c) {
          while_(
              [&] {
                return_();
                return c;
              },
              [] {});
        };
      },
      "return_ stands in a loop's condition");
}

TEST_CASE("mistake: code that is never reached") {
  const auto first = WEFT_TEST_HERE + 2;
  const auto line = check(
      [](Expr<int> x) {
        return_();
        keep(x + 1);
      },
      "add is never reached: return stands before it");
  CHECK(line == first + 2);
  check(
      [] {
        $loop {
          $break;
          $break;
        };
      },
      "break is never reached: break stands before it");
}

TEST_CASE("mistake: shared memory elsewhere than at the top of a kernel") {
  check(
      [](Expr<bool> c) {
        $if(c) { Shared<int, 4> s; };
      },
      "Shared is declared in an inner scope, expected at the top level of a kernel");
  const Callable f{"f", [] { Shared<int, 4> s; }};
  check([&] { f(); }, "Shared is declared in a callable, expected at the top level of a kernel");
}

TEST_CASE("mistake: a case elsewhere than in a switch, and statements beside the cases") {
  check([] { $case(1){}; }, "case_ stands outside of a switch");
  check(
      [](Expr<int> x) {
        $switch(x) { Int y = 1; };
      },
      "local stands in a switch but in none of its cases");
  check(
      [](Expr<int> x) {
        $switch(x) {
          $default{};
          $case(1){};
        };
      },
      "case_ stands after default_, which comes last");
  check(
      [](Expr<int> x) {
        $switch(x) {
          $case(1){};
          $case(2, 1){};
        };
      },
      "switch has two cases for 1");
}

TEST_CASE("mistake: a callable that calls itself") {
  std::optional<Callable<Int(Expr<int>)>> self;
  self.emplace("f", [&](Expr<int> x) { return (*self)(x - 1); });
  check([&](Expr<int> x) { (*self)(x); }, "callable 'f' calls itself; there is no recursion in kernels");
}

TEST_CASE("mistake: results that do not fit") {
  check([] { return_(1); }, "return_ gives i32, but kernel 'wrong' returns nothing");
  const Callable f{"f", [](Expr<bool> c) {
                     $if(c) { $return(1); };
                     return Expr<float>(2.f);
                   }};
  check([&](Expr<bool> c) { f(c); }, "return_ gives i32, but callable 'f' returns f32");
  const Callable g{"g", [](Expr<bool> c) {
                     $if(c) { $return(); };
                     return Expr<float>(2.f);
                   }};
  check([&](Expr<bool> c) { g(c); }, "return_ gives nothing, but callable 'g' returns f32");
}

TEST_CASE("mistake: a callable that does not return on every path") {
  const Callable f = Callable<Float(Expr<bool>)>{"f", [](Expr<bool> c) {
                                                   $if(c) { $return(1.f); };
                                                 }};
  check([&](Expr<bool> c) { f(c); }, "callable @f can end without returning its f32");
}

TEST_CASE("mistake: references that overlap") {
  const Callable swap{"swap", [](Float& a, Float& b) {
                        Float t = a;
                        a = b;
                        b = t;
                      }};
  CHECK(mistake([&] {
          Kernel1D{"wrong", [&] {
                     Float x;
                     swap(x, x);
                   }};
        }).message.find("overlap") != std::string::npos);
}

TEST_CASE("mistake: components that a vector does not have") {
  check([](Expr<float3> v) { v[3]; }, "component 3 of a vector of 3");
  check([](Expr<float2x2> v) { v[-1]; }, "column 4294967295 of a matrix of 2");
}

TEST_CASE("mistake: attributes") {
  const auto message = [](const auto&... attributes) {
    return mistake([&] { Kernel1D{"wrong", attributes..., [](Float) {}}; }).message;
  };
  CHECK(message(block_size(0)) == "block size 0 x 1 x 1, expected 1 to 1048576 lanes");
  CHECK(message(block_size(1 << 21)) == "block size 2097152 x 1 x 1, expected 1 to 1048576 lanes");
  CHECK(message(block_size(8, 8)) == "block size 8 x 8 x 1 for a kernel of 1 dimension");
  CHECK(message(warp_size(4)) == "warp size 4, expected 8, 16 or 32");
  CHECK(message(names("a", "b")) == "2 names for 1 parameter");
}

TEST_CASE("mistake: one specialisation constant with two defaults or types") {
  const Spec<uint> a{7, 1u};
  const Spec<uint> b{7, 2u};
  const Spec<float> c{7, 1.f};
  check([&] { keep(a + b); },
        "specialisation constant 7 is used with type u32 here and with type u32 but another default before");
  check([&] { keep(a + c); }, "specialisation constant 7 is used with type f32 here and with type u32 before");
}

TEST_CASE("mistake: the message reads as a compiler's, with the kernel and callables it is in") {
  const Callable f{"helper", [] { break_(); }};
  try {
    Kernel1D{"main_kernel", [&] { f(); }};
    FAIL("no mistake was found");
  } catch (const DslError& e) {
    const std::string what = e.what();
    CHECK(what.find("mistakes.cpp:") != std::string::npos);
    CHECK(what.find(": error: break_ stands outside of any loop\n") != std::string::npos);
    CHECK(what.find(": note: in callable 'helper'\n") != std::string::npos);
    CHECK(what.ends_with(": note: in kernel 'main_kernel'"));
  }
}

TEST_CASE("mistake: two parameters of one name") {
  const DslError::Details m = mistake([] { Kernel1D{"wrong", names("a", "b", "a"), [](Float, Float, Float) {}}; });
  CHECK(m.message == "two parameters are named 'a'");
}
