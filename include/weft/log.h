// Where Weft's log goes. By default it is written to standard error; a host that keeps a log of its own replaces the
// sink. The level comes from the environment variable WEFT_LOG (trace, debug, info, warn, error, off) and defaults to
// warn.
#pragma once

#include <weft/export.h>

#include <functional>
#include <string_view>

namespace weft {

enum class LogLevel { trace, debug, info, warn, error, off };

// Receives each message that passes the level, without a trailing newline. It may be called from any thread, and from
// several at once. It must not throw.
using LogSink = std::function<void(LogLevel, std::string_view)>;

// Replaces the sink for the whole process; an empty function restores the default. Messages already on their way may
// still reach the old sink while this returns. May be called from any thread, within a sink too.
WEFT_API void set_log_sink(LogSink sink);

// Messages below the level are dropped; it takes the place of what WEFT_LOG says. May be called from any thread.
WEFT_API void set_log_level(LogLevel level);
WEFT_API LogLevel log_level();

}  // namespace weft
