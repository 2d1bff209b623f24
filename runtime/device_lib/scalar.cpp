// The math functions for one lane: native for the interpreter, and bitcode for kernels compiled lane by lane.
#define WEFT_PACK_WIDTH 1
#include "runtime/device_lib/instantiate.inc"
