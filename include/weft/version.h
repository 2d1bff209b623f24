// Weft's version. The build reads it from here.
#pragma once

#include <weft/export.h>

#define WEFT_VERSION_STRING "0.1.0"

namespace weft {

// The version of the library that is loaded, which may differ from the header's.
WEFT_API const char* version();

}  // namespace weft
