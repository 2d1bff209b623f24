// The embedded DSL: C++ lambdas become kernels and callables. docs/dsl.md is its guide.
#pragma once

#include <weft/dsl/constant.h>
#include <weft/dsl/control.h>
#include <weft/dsl/convert.h>
#include <weft/dsl/functions.h>
#include <weft/dsl/ids.h>
#include <weft/dsl/macros.h>
#include <weft/dsl/report.h>
#include <weft/dsl/struct.h>
#include <weft/kernel.h>
