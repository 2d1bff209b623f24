// The backends by name: those built in, and modules libweft-backend-NAME.so in the folders of WEFT_BACKEND_PATH and
// beside libweft. A module is loaded when a device of its name is first asked for, and stays loaded.
#pragma once

#include <weft/backend.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::backend {

// Throws DeviceError: no such backend (the message lists those there are), or a module that cannot be used.
const WeftBackend& find_backend(const std::string& name);

// All names that find_backend knows, built-in ones first.
std::vector<std::string> backend_names();

}  // namespace weft::backend
