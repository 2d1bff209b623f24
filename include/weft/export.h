// WEFT_API marks what libweft exports: everything else in it, LLVM included, is hidden.
#pragma once

#define WEFT_API __attribute__((visibility("default")))
