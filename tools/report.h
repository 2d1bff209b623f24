// What `weftc run` tells: as text for people, as JSON for programs; and array files.
#pragma once

#include "tools/value_type.h"

#include <weft/shader.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::tools {

struct PrintedArray {
  std::string name;
  ValueType type;
  std::vector<std::byte> bytes;
  std::uint64_t count = 0;  // elements to show at most
};

struct RunReport {
  ShaderInfo kernel;
  std::string device;
  std::uint64_t lanes = 0;
  unsigned workers = 0;
  bool has_times = false;
  double compile_ms = 0;
  std::vector<double> run_ms;
  std::uint64_t buffer_bytes = 0;
  std::vector<PrintedArray> arrays;
};

std::string to_text(const RunReport& report);
std::string to_json(const RunReport& report);

// An .npy file if the name says so, else the bytes. Throws FileError.
void write_array(const std::string& file, const ValueType& type, const std::vector<std::byte>& bytes);

}  // namespace weft::tools
