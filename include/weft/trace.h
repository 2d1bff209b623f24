// A trace of the commands of all streams: what ran when, on which thread, how long it was queued. The file opens in
// Perfetto (ui.perfetto.dev) and chrome://tracing. The environment variable WEFT_TRACE=FILE traces from the first
// device to the end of the process.
#pragma once

#include <weft/export.h>

#include <filesystem>

namespace weft {

// Traces commands that end from now on; ends the trace that there is. Throws FileError.
WEFT_API void start_trace(const std::filesystem::path& file);

// Completes the file. Without a trace it does nothing.
WEFT_API void stop_trace();

}  // namespace weft
