#include "backend/trace.h"

#include "runtime/support/env.h"
#include "runtime/support/log.h"
#include "runtime/trace.h"

#include <weft/error.h>
#include <weft/trace.h>

#include <mutex>

namespace weft {

void start_trace(const std::filesystem::path& file) { runtime::start_trace(file); }
void stop_trace() { runtime::stop_trace(); }

namespace backend {

void start_trace_of_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const std::string file = env::trace();
    if (file.empty()) return;
    try {
      start_trace(file);
    } catch (const FileError& error) {
      log_warn("WEFT_TRACE: {}", error.what());
    }
  });
}

}  // namespace backend
}  // namespace weft
