// A value that commands of a graph take and every launch may give anew: what stands for it while the graph is recorded.
#pragma once

#include <cstdint>
#include <type_traits>

namespace weft {

namespace detail {

// Which value of which recording.
struct UniformRef {
  std::uint64_t recording = 0;
  std::uint32_t index = 0;
};

}  // namespace detail

// Made by GraphBuilder::uniform(). Shaders take it in place of a T when they are called for the graph.
template <typename T>
class GraphUniform {
  static_assert(std::is_trivially_copyable_v<T>, "a value is copied as bytes");

 public:
  GraphUniform() = default;
  explicit GraphUniform(const detail::UniformRef& ref) : ref_(ref) {}

  const detail::UniformRef& ref() const { return ref_; }

 private:
  detail::UniformRef ref_;
};

namespace detail {

template <typename T>
inline constexpr bool kIsUniform = false;
template <typename T>
inline constexpr bool kIsUniform<GraphUniform<T>> = true;

}  // namespace detail
}  // namespace weft
