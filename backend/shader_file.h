// Shader files: a kernel compiled ahead of time, for one processor, that a device loads without compiler and IR.
//
//   magic "WEFTSHDR", format version u32, ABI version u32, checksum of the rest u64, size of the rest u64,
//   then, each as its size u64 and its bytes: Weft's version, kernel, processor, its features, object
//
// all little endian. Any bytes may be given: the outcome is a file or diagnostics.
#pragma once

#include "runtime/support/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::backend {

struct ShaderFile {
  std::string weft_version;
  std::string kernel;
  std::string cpu;       // LLVM's name
  std::string features;  // as jit::Target has them: "+avx2,-avx512f"
  std::vector<std::byte> object;
};

// Whether the bytes begin as a shader file does.
bool is_shader_file(std::span<const std::byte> bytes);

std::vector<std::byte> write_shader_file(const ShaderFile& file);

// `name` is what diagnostics call the file.
Result<ShaderFile> read_shader_file(std::span<const std::byte> bytes, std::string_view name);

// The features in `needed` that `available` does not have, split by ','; empty if there are none.
std::string missing_features(std::string_view needed, std::string_view available);

}  // namespace weft::backend
