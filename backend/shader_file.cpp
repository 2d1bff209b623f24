#include "backend/shader_file.h"

#include "runtime/abi/abi.h"
#include "runtime/support/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace weft::backend {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are copied as they are");

constexpr std::string_view kMagic = "WEFTSHDR";
constexpr std::uint32_t kFormatVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t format_version;
  std::uint32_t abi_version;
  std::uint64_t checksum;
  std::uint64_t rest_bytes;
};
static_assert(sizeof(Header) == 32);

void append(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* const begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

void append_field(std::vector<std::byte>& bytes, std::span<const std::byte> field) {
  const std::uint64_t size = field.size();
  append(bytes, &size, sizeof size);
  append(bytes, field.data(), field.size());
}

std::optional<std::span<const std::byte>> take_field(std::span<const std::byte>& rest) {
  std::uint64_t size = 0;
  if (rest.size() < sizeof size) return {};
  std::memcpy(&size, rest.data(), sizeof size);
  rest = rest.subspan(sizeof size);
  if (rest.size() < size) return {};
  const std::span<const std::byte> field = rest.first(size);
  rest = rest.subspan(size);
  return field;
}

bool take_text(std::span<const std::byte>& rest, std::string& text) {
  const auto field = take_field(rest);
  if (field) text.assign(reinterpret_cast<const char*>(field->data()), field->size());
  return field.has_value();
}

DiagnosticList failure(std::string_view name, std::string message) {
  DiagnosticList diagnostics;
  diagnostics.error({.file = std::string(name)}, std::move(message));
  return diagnostics;
}

// What is wrong with the outer shell; empty if nothing is.
std::string mistake(const Header& header, std::span<const std::byte> rest) {
  if (header.format_version != kFormatVersion) {
    return fmt::format("the shader file has format version {}, this Weft reads version {}: compile it anew",
                       header.format_version, kFormatVersion);
  }
  if (header.abi_version != abi::kAbiVersion) {
    return fmt::format("the shader file was compiled for ABI version {}, this Weft has version {}: compile it anew",
                       header.abi_version, abi::kAbiVersion);
  }
  if (header.rest_bytes != rest.size()) {
    return fmt::format("the shader file holds {} bytes after its header, expected {}: it is truncated or damaged",
                       rest.size(), header.rest_bytes);
  }
  if (header.checksum != checksum(rest)) return "the shader file is damaged: its checksum is wrong";
  return {};
}

// Calls `function` with each part of a list split by ','.
template <typename Function>
void for_each_part(std::string_view list, Function&& function) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    function(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

bool has_part(std::string_view list, std::string_view wanted) {
  bool found = false;
  for_each_part(list, [&](std::string_view part) { found |= part == wanted; });
  return found;
}

}  // namespace

bool is_shader_file(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

std::vector<std::byte> write_shader_file(const ShaderFile& file) {
  std::vector<std::byte> rest;
  for (const std::string* text : {&file.weft_version, &file.kernel, &file.cpu, &file.features}) {
    append_field(rest, std::as_bytes(std::span(*text)));
  }
  append_field(rest, file.object);
  Header header{{}, kFormatVersion, abi::kAbiVersion, checksum(rest), rest.size()};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  std::vector<std::byte> bytes;
  append(bytes, &header, sizeof header);
  append(bytes, rest.data(), rest.size());
  return bytes;
}

Result<ShaderFile> read_shader_file(std::span<const std::byte> bytes, std::string_view name) {
  if (!is_shader_file(bytes)) return failure(name, "this is no shader file");
  Header header{};
  if (bytes.size() < sizeof header) return failure(name, "the shader file is truncated within its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  std::span<const std::byte> rest = bytes.subspan(sizeof header);
  if (std::string text = mistake(header, rest); !text.empty()) return failure(name, std::move(text));

  ShaderFile file;
  for (std::string* text : {&file.weft_version, &file.kernel, &file.cpu, &file.features}) {
    if (!take_text(rest, *text)) return failure(name, "the shader file's fields do not fit its size");
  }
  const auto object = take_field(rest);
  if (!object || !rest.empty()) return failure(name, "the shader file's fields do not fit its size");
  file.object.assign(object->begin(), object->end());
  return file;
}

std::string missing_features(std::string_view needed, std::string_view available) {
  std::string missing;
  for_each_part(needed, [&](std::string_view feature) {
    if (!feature.starts_with('+') || has_part(available, feature)) return;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", feature.substr(1));
  });
  return missing;
}

}  // namespace weft::backend
