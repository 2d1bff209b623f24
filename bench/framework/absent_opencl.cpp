// In place of opencl_engine.cpp where there is no OpenCL to build with.
#include "bench/framework/engine.h"

namespace weft::bench {

Peers make_opencl(unsigned) { return {{}, "PoCL: not built (ocl-icd-opencl-dev, opencl-headers; WEFT_BENCH_OPENCL)"}; }

}  // namespace weft::bench
