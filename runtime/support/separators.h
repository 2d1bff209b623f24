// Numbers for people: 1,000,000.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

inline std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t from_right = 3; from_right < digits.size(); from_right += 4) {
    digits.insert(digits.size() - from_right, 1, ',');
  }
  return digits;
}

}  // namespace weft
