// Buffers: memory of a device that kernels read and write, and views of them.
//
// A Buffer owns its memory and is moved, not copied; a BufferView names a range of one. Both make commands, which do
// their work when a stream comes to them. Memory that a submitted command uses lives until the command is done,
// whatever happens to the Buffer. A view does not keep a buffer: using one whose buffer is gone is a UsageError.
//
// New buffers hold unspecified values.
#pragma once

#include <weft/element.h>
#include <weft/export.h>
#include <weft/stream.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

class Device;
template <typename T>
class BufferView;

namespace detail {

struct BufferState;

// A range of bytes of a buffer, and the type of its elements: what all buffers and views are made of.
class WEFT_API BufferRange {
 public:
  BufferRange() = default;
  BufferRange(std::shared_ptr<BufferState> state, std::uint64_t size_bytes)
      : state_(std::move(state)), size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  std::uint64_t offset_bytes() const { return offset_bytes_; }
  const std::shared_ptr<BufferState>& state() const { return state_; }

  BufferRange slice(std::uint64_t first, std::uint64_t count, const ElementType& type) const;
  Command upload(const void* data, std::uint64_t count, const ElementType& type,
                 std::shared_ptr<const void> owner) const;
  Command download(void* data, std::uint64_t count, const ElementType& type) const;
  Command copy_from(const BufferRange& source, const ElementType& type) const;
  Command fill(const void* pattern, const ElementType& type) const;

  // Gives the buffer up: views of it are dead from now on.
  void close() const;

 private:
  std::shared_ptr<BufferState> state_;
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace detail

// Elements [0, size()) of a buffer or of a part of it. Copying a view copies no elements.
template <typename T>
class BufferView {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "elements are copied as bytes");

 public:
  using Element = T;

  BufferView() = default;
  explicit BufferView(detail::BufferRange range) : range_(std::move(range)) {}

  std::uint64_t size() const { return range_.size_bytes() / sizeof(T); }
  std::uint64_t size_bytes() const { return range_.size_bytes(); }

  // `count` elements from number `first` on; throws UsageError if they are not all inside.
  BufferView subview(std::uint64_t first, std::uint64_t count) const {
    return BufferView(range_.slice(first, count, detail::element_type<T>()));
  }

  // Copies elements of the host, exactly size() of them. They are read when the command runs and must live until then,
  // except that a vector that is given away lives as long as the command.
  Command upload(std::span<const T> data) const {
    return range_.upload(data.data(), data.size(), detail::element_type<T>(), nullptr);
  }
  Command upload(std::vector<T>&& data) const {
    auto owner = std::make_shared<const std::vector<T>>(std::move(data));
    return range_.upload(owner->data(), owner->size(), detail::element_type<T>(), owner);
  }
  Command upload(std::initializer_list<T> data) const { return upload(std::vector<T>(data)); }

  // Copies to the host, exactly size() elements, written when the command runs.
  Command download(std::span<T> target) const {
    return range_.download(target.data(), target.size(), detail::element_type<T>());
  }

  // Copies the elements of another view of the same size and device; the two may overlap.
  Command copy_from(const BufferView& source) const {
    return range_.copy_from(source.range_, detail::element_type<T>());
  }

  // Sets every element.
  Command fill(const T& value) const { return range_.fill(&value, detail::element_type<T>()); }

  const detail::BufferRange& range() const { return range_; }

 private:
  detail::BufferRange range_;
};

// Owns `size()` elements of a device's memory. Made by Device::create_buffer().
template <typename T>
class Buffer : public BufferView<T> {
 public:
  Buffer() = default;
  explicit Buffer(detail::BufferRange range) : BufferView<T>(std::move(range)) {}
  Buffer(Buffer&& other) noexcept : BufferView<T>(std::exchange(static_cast<BufferView<T>&>(other), {})) {}
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer old(std::move(*this));
    static_cast<BufferView<T>&>(*this) = std::exchange(static_cast<BufferView<T>&>(other), {});
    return *this;
  }
  ~Buffer() { this->range().close(); }

  BufferView<T> view() const { return *this; }
};

// Bytes, which a kernel reads and writes as any type: a byte_buffer of the text form.
using ByteBufferView = BufferView<std::byte>;
using ByteBuffer = Buffer<std::byte>;

}  // namespace weft
