// The types of buffers' elements and of values, as kernels know them: it lets a device compare what it is given with
// what a kernel asks for, and name both.
#pragma once

#include <weft/dsl/type_info.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft::detail {

struct ElementType {
  std::uint64_t size_bytes = 0;
  const dsl::TypeInfo* info = nullptr;  // of types that kernels know
  std::string_view name{};              // of others; empty: unknown, only the size is compared
};

inline constexpr std::string_view kByteName = "byte";

template <typename T>
constexpr ElementType element_type() {
  using Stored = dsl::stored_t<T>;
  if constexpr (std::is_same_v<T, std::byte>) {
    return {1, nullptr, kByteName};
  } else if constexpr (dsl::Describable<Stored>) {
    return {sizeof(T), &dsl::kTypeInfo<Stored>};
  } else {
    return {sizeof(T)};
  }
}

// The type in text form, "vec<f32, 3>"; empty if it is unknown.
WEFT_API std::string type_text(const ElementType& type);

// Whether a value of this type is one of a kernel's type, given in text form and by its size. Structs may be called
// otherwise on the host: of them the size alone is compared.
WEFT_API bool matches(const ElementType& type, std::string_view text, std::uint64_t size_bytes);

}  // namespace weft::detail
