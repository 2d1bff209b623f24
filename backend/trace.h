// The trace that the environment asks for.
#pragma once

namespace weft::backend {

// Starts it if WEFT_TRACE names a file; once in a process. A file that cannot be written is a warning.
void start_trace_of_environment();

}  // namespace weft::backend
