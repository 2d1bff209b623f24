#include "examples/pathtracer/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace pathtracer {

namespace {

void append(void* to, void* data, int size) {
  auto& bytes = *static_cast<std::vector<unsigned char>*>(to);
  const auto* from = static_cast<const unsigned char*>(data);
  bytes.insert(bytes.end(), from, from + size);
}

// The transfer function of IEC 61966-2-1.
unsigned char srgb(float linear) {
  const float x = std::isfinite(linear) ? std::clamp(linear, 0.0F, 1.0F) : 0.0F;
  const float y = x <= 0.0031308F ? 12.92F * x : 1.055F * std::pow(x, 1 / 2.4F) - 0.055F;
  return static_cast<unsigned char>(std::lround(y * 255));
}

std::vector<unsigned char> png(const std::vector<float3>& pixels, uint width, uint height, float exposure) {
  std::vector<unsigned char> rgb;
  for (const float3 p : pixels) {
    rgb.insert(rgb.end(), {srgb(p.x * exposure), srgb(p.y * exposure), srgb(p.z * exposure)});
  }
  std::vector<unsigned char> bytes;
  stbi_write_png_to_func(append, &bytes, static_cast<int>(width), static_cast<int>(height), 3, rgb.data(),
                         static_cast<int>(3 * width));
  return bytes;
}

// Portable float map: rows from the bottom, little endian.
std::vector<unsigned char> pfm(const std::vector<float3>& pixels, uint width, uint height) {
  const std::string header = fmt::format("PF\n{} {}\n-1.0\n", width, height);
  std::vector<unsigned char> bytes(header.begin(), header.end());
  const std::size_t row_bytes = width * sizeof(float3);
  for (uint y = height; y-- > 0;) {
    const auto* row = reinterpret_cast<const unsigned char*>(pixels.data() + std::size_t{y} * width);
    bytes.insert(bytes.end(), row, row + row_bytes);
  }
  return bytes;
}

}  // namespace

void write_file(const std::string& file, const void* data, std::size_t size_bytes) {
  const std::string part = file + ".part";
  std::FILE* out = std::fopen(part.c_str(), "wb");
  if (out == nullptr) {
    throw std::runtime_error(fmt::format("{}: {}", file, std::strerror(errno)));
  }
  const bool written = std::fwrite(data, 1, size_bytes, out) == size_bytes;
  const int reason = errno;
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed) {
    std::filesystem::remove(part);
    throw std::runtime_error(fmt::format("{}: {}", file, std::strerror(written ? errno : reason)));
  }
  std::filesystem::rename(part, file);
}

void write_image(const std::string& file, const std::vector<float3>& pixels, uint width, uint height, float exposure) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".png" && ending != ".pfm") {
    throw std::runtime_error(fmt::format("{}: unknown ending '{}', expected .png or .pfm", file, ending));
  }
  const auto bytes = ending == ".png" ? png(pixels, width, height, exposure) : pfm(pixels, width, height);
  write_file(file, bytes.data(), bytes.size());
}

}  // namespace pathtracer
