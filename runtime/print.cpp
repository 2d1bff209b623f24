#include "runtime/print.h"

#include "runtime/support/format_values.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace weft::runtime {
namespace {

void print_to_stdout(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

struct Sink {
  std::mutex mutex;
  PrintSink function = print_to_stdout;
};

// Never destroyed: a thread may print after static destruction.
Sink& sink() {
  static Sink* const instance = new Sink;
  return *instance;
}

}  // namespace

void set_print_sink(PrintSink function) {
  if (function == nullptr) function = print_to_stdout;
  const std::lock_guard lock(sink().mutex);
  sink().function.swap(function);
}

void print_line(std::string_view line) {
  const std::lock_guard lock(sink().mutex);
  sink().function(line);
}

std::string format_print(const abi::SiteInfo& site, const std::uint64_t* values) {
  return format_values(site.text, site.types, {values, site.value_count});
}

}  // namespace weft::runtime
