#include <weft/element.h>

#include <fmt/format.h>

namespace weft::detail {
namespace {

std::string text_of(const dsl::TypeInfo& type) {
  switch (type.kind) {
    case dsl::TypeClass::scalar: return type.name;
    case dsl::TypeClass::vector: return fmt::format("vec<{}, {}>", text_of(*type.element), type.count);
    case dsl::TypeClass::matrix:
      return fmt::format("mat<{}, {}, {}>", text_of(*type.element), type.columns, type.count);
    case dsl::TypeClass::array: return fmt::format("array<{}, {}>", text_of(*type.element), type.count);
    case dsl::TypeClass::structure: return type.name;
    case dsl::TypeClass::buffer: return fmt::format("buffer<{}>", text_of(*type.element));
    case dsl::TypeClass::byte_buffer: return "byte_buffer";
    case dsl::TypeClass::reference: return fmt::format("ref<{}>", text_of(*type.element));
  }
  return {};
}

bool holds_struct(const dsl::TypeInfo& type) {
  return type.kind == dsl::TypeClass::structure || (type.element != nullptr && holds_struct(*type.element));
}

}  // namespace

std::string type_text(const ElementType& type) {
  return type.info != nullptr ? text_of(*type.info) : std::string(type.name);
}

bool matches(const ElementType& type, std::string_view text, std::uint64_t size_bytes) {
  if (type.size_bytes != size_bytes) return false;
  if (type.info != nullptr && holds_struct(*type.info)) return true;
  const std::string own = type_text(type);
  return own.empty() || own == text;
}

}  // namespace weft::detail
