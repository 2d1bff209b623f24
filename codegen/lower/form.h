// How a kernel with barriers runs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::lower {

enum class Form : std::uint8_t {
  automatic,
  coroutines,  // a coroutine for each pack, suspended at each barrier; at width 1 for each lane
  fission,     // cut at its barriers, with a loop over packs in place of each part; coroutines where that cannot be
};
inline constexpr std::array<std::string_view, 3> kFormTexts{"auto", "coroutines", "fission"};

}  // namespace weft::lower
