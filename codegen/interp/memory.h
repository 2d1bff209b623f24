// Access to the memory behind a reference, for one lane.
#pragma once

#include "codegen/interp/handlers.h"

namespace weft::interp {

// The place that a lane's reference names; reports what is wrong with using it.
class Access {
 public:
  Access(const Context& c, Words reference, std::uint32_t lane) : c_(c), reference_(reference), lane_(lane) {}

  // Whether there is a place; a fault in checked mode if not.
  [[nodiscard]] bool in_range() const;
  // The word of leaf number `i`, which is at `leaf`. Notices bytes that were not written.
  [[nodiscard]] std::uint64_t read(std::size_t i, const Leaf& leaf) const;
  void write(std::size_t i, const Leaf& leaf, std::uint64_t word) const;

 private:
  [[nodiscard]] std::uint64_t offset(std::size_t i, const Leaf& leaf) const;
  [[nodiscard]] std::byte* pointer(Place::Word word) const {
    return reinterpret_cast<std::byte*>(reference_.at(lane_, word));
  }

  const Context& c_;
  Words reference_;
  std::uint32_t lane_;
};

// The type that the reference in operand 0 refers to.
[[nodiscard]] ir::TypeId pointee(const Context& c);

}  // namespace weft::interp
