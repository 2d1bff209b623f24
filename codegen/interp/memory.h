// Access to the memory behind a reference, for one lane.
#pragma once

#include "codegen/interp/handlers.h"

namespace weft::interp {

// The place that a lane's reference names; reports what is wrong with using it.
class Access {
 public:
  Access(const Context& c, Words reference, std::uint32_t lane)
      : c_(c),
        lane_(lane),
        data_(std::bit_cast<std::byte*>(reference.at(lane, Place::kData))),
        shadow_(std::bit_cast<std::byte*>(reference.at(lane, Place::kShadow))),
        component_stride_(reference.at(lane, Place::kComponentStride)) {
    if (data_ == nullptr) {
      report_out_of_range(reference);
    }
  }

  // Whether there is a place.
  [[nodiscard]] bool in_range() const { return data_ != nullptr; }
  [[nodiscard]] const std::byte* data() const { return data_; }
  // The word of leaf number `i`, which is at `leaf`.
  [[nodiscard]] std::uint64_t read(std::size_t i, const Leaf& leaf) const {
    const std::uint64_t at = offset(i, leaf);
    if (shadow_ != nullptr) {
      report_unwritten(at, leaf);
    }
    return read_scalar(data_ + at, leaf);
  }
  void write(std::size_t i, const Leaf& leaf, std::uint64_t word) const {
    const std::uint64_t at = offset(i, leaf);
    if (shadow_ != nullptr) {
      std::memset(shadow_ + at, 1, leaf.size_bytes);
    }
    write_scalar(data_ + at, leaf, word);
  }

 private:
  [[nodiscard]] std::uint64_t offset(std::size_t i, const Leaf& leaf) const {
    return component_stride_ != 0 ? component_stride_ * i : leaf.offset_bytes;
  }
  // A fault in checked mode.
  void report_out_of_range(Words reference) const;
  // Counts the read if one of its bytes was not written.
  void report_unwritten(std::uint64_t at, const Leaf& leaf) const;

  const Context& c_;
  std::uint32_t lane_;
  std::byte* data_;
  std::byte* shadow_;
  std::uint64_t component_stride_;
};

// The type that the reference in operand 0 refers to.
[[nodiscard]] ir::TypeId pointee(const Context& c);

}  // namespace weft::interp
