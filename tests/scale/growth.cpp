// Compile time grows no faster than the kernel, as large kernels get less effort, and less width.
#include "bench/compile/generate.h"
#include "codegen/ir/verify/verify.h"
#include "codegen/jit/choose.h"
#include "codegen/jit/compile.h"
#include "runtime/support/stage_times.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace weft;
using bench::Flavour;
using bench::KernelShape;

namespace {

std::unique_ptr<ir::Module> module_of(const KernelShape& shape) {
  auto module = ir::parse_verified(bench::generate_kernel(shape), "generated.weft");
  REQUIRE(module);
  return std::move(*module);
}

// CPU time of all stages for each op.
double ns_per_op(const KernelShape& shape, const jit::CompileOptions& options) {
  StageTimes times;
  const CollectStageTimes collect(times);
  const auto module = module_of(shape);
  const auto object = jit::compile(*module, options);
  REQUIRE(object);
  return static_cast<double>(times.total_ns()) / static_cast<double>(object->stats.ir_ops);
}

jit::Choice choice_of(const KernelShape& shape, const jit::CompileOptions& options = {}) {
  const auto module = module_of(shape);
  const auto choice = jit::choose(*module, *module->find_kernel(), {}, options);
  REQUIRE(choice);
  return *choice;
}

}  // namespace

TEST_CASE("compile time: eight times the kernel takes about eight times the time") {
  const Flavour flavour =
      GENERATE(Flavour::arithmetic, Flavour::memory, Flavour::branches, Flavour::loops, Flavour::mixed);
  const std::size_t barriers = GENERATE(0U, 8U);
  const jit::CompileOptions options{.form = barriers == 0 ? jit::Form::automatic
                                                          : GENERATE(jit::Form::automatic, jit::Form::coroutines)};
  const double small = ns_per_op({3000, barriers, flavour}, options);
  const double large = ns_per_op({24'000, barriers, flavour}, options);
  INFO(bench::kFlavourNames[static_cast<std::size_t>(flavour)]
       << ", " << barriers << " barriers, form " << static_cast<int>(options.form) << ": " << small << " and " << large
       << " ns for each op");
  CHECK(large < 2 * small);
}

TEST_CASE("compile time: effort and width go by the size of the kernel") {
  CHECK(choice_of({4000, 0, Flavour::mixed}).effort == jit::Effort::full);
  CHECK(choice_of({20'000, 0, Flavour::mixed}).effort == jit::Effort::reduced);
  CHECK(choice_of({80'000, 0, Flavour::mixed}).effort == jit::Effort::minimal);
  CHECK(choice_of({80'000, 0, Flavour::mixed}).width == 16);
  CHECK(choice_of({250'000, 0, Flavour::mixed}).width == 1);
}

TEST_CASE("compile time: long lists of ops, and many loops, get less effort earlier") {
  CHECK(choice_of({2000, 0, Flavour::arithmetic}).effort == jit::Effort::full);
  CHECK(choice_of({4000, 0, Flavour::arithmetic}).effort == jit::Effort::reduced);
  CHECK(choice_of({25'000, 0, Flavour::arithmetic}).effort == jit::Effort::minimal);
  CHECK(choice_of({3000, 0, Flavour::loops}).effort == jit::Effort::full);
  CHECK(choice_of({6000, 0, Flavour::loops}).effort == jit::Effort::reduced);
}

TEST_CASE("compile time: what the options ask for holds at any size") {
  const KernelShape large{80'000, 0, Flavour::mixed};
  for (const jit::Effort effort : {jit::Effort::minimal, jit::Effort::reduced, jit::Effort::full}) {
    CHECK(choice_of(large, {.effort = effort}).effort == effort);
    CHECK(choice_of({100, 0, Flavour::mixed}, {.effort = effort}).effort == effort);
  }
  CHECK(choice_of({250'000, 0, Flavour::mixed}, {.width = 8}).width == 8);
}
