// A graph in the language of Graphviz.
#pragma once

#include "backend/graph_layout.h"

#include <string>

namespace weft::detail {

// `plan` may be null: then transients have no places yet.
std::string picture_of(const GraphRecording& recording, const GraphLayout& layout, const graph::Plan* plan);

}  // namespace weft::detail
