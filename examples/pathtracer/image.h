// Pictures to files.
#pragma once

#include <string>
#include <vector>

#include "examples/pathtracer/types.h"

namespace pathtracer {

// Writes linear radiance, rows from the top, by the file's ending: .png (exposed, clipped, sRGB, 8 bits) or .pfm (as it
// is). The file is complete or not there: it is written beside its place and renamed. Throws std::runtime_error.
void write_image(const std::string& file, const std::vector<float3>& pixels, uint width, uint height, float exposure);

// Writes bytes in the same way.
void write_file(const std::string& file, const void* data, std::size_t size_bytes);

}  // namespace pathtracer
