// What kernels print. Each print of a lane is one line, written whole: lines of different lanes do not mix.
#pragma once

#include "runtime/abi/abi.h"

#include <functional>
#include <string>
#include <string_view>

namespace weft::runtime {

// Gets one line without its newline; called by one thread at a time. It must not wait for a dispatch.
using PrintSink = std::function<void(std::string_view)>;

// Replaces the sink, by default standard output; an empty one brings the default back.
void set_print_sink(PrintSink sink);

// Hands a line to the sink.
void print_line(std::string_view line);

// The text of a print: the site's format with each "{}" replaced by a value. `values` holds one slot of 8 bytes for
// each letter of site.types, the value in the low bytes.
std::string format_print(const abi::SiteInfo& site, const std::uint64_t* values);

}  // namespace weft::runtime
