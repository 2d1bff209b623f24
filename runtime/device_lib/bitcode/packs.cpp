// The math functions for packs. Bitcode only: the interpreter works lane by lane.
#define WEFT_PACK_WIDTH 4
#include "runtime/device_lib/instantiate.inc"
#undef WEFT_PACK_WIDTH
#define WEFT_PACK_WIDTH 8
#include "runtime/device_lib/instantiate.inc"
#undef WEFT_PACK_WIDTH
#define WEFT_PACK_WIDTH 16
#include "runtime/device_lib/instantiate.inc"
