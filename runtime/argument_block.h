// A dispatch's own copy of its arguments, aligned for any argument type; no heap memory for the usual few.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace weft::runtime {

class ArgumentBlock {
 public:
  static constexpr std::size_t kAlign = 64;

  explicit ArgumentBlock(std::span<const std::byte> bytes) {
    std::byte* target = inline_;
    if (bytes.size() > sizeof inline_) {
      heap_.reset(static_cast<std::byte*>(::operator new(bytes.size(), std::align_val_t{kAlign})));
      target = heap_.get();
    }
    if (!bytes.empty()) std::memcpy(target, bytes.data(), bytes.size());
  }
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;

  const std::byte* data() const { return heap_ == nullptr ? inline_ : heap_.get(); }

 private:
  struct Release {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, std::align_val_t{kAlign}); }
  };

  alignas(kAlign) std::byte inline_[256];
  std::unique_ptr<std::byte, Release> heap_;
};

}  // namespace weft::runtime
