// In place of vulkan_engine.cpp where there is no Vulkan to build with.
#include "bench/framework/engine.h"

namespace weft::bench {

Peers make_vulkan(unsigned) { return {{}, "lavapipe: not built (libvulkan-dev, glslang-tools; WEFT_BENCH_VULKAN)"}; }

}  // namespace weft::bench
