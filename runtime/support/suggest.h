// "did you mean": the known name that is closest to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft {

// The candidate of the fewest edits (a letter added, removed, changed, or swapped with the next), if they are few for
// the name's length; otherwise empty. The view is that of the candidate.
std::string_view closest(std::string_view name, std::span<const std::string_view> candidates);

// "; did you mean `add`?", or empty if nothing is close.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace weft
