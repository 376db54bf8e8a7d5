#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// The nodes of an FX graph, by name.
using FxNodes = std::unordered_map<std::string, FxNode>;

/// Reads a graph as PyTorch prints it (GraphModule.print_readable): nodes, with the line of the program above them as
/// "# File: train.py:12 in forward, code: x = self.relu(x)". Accepts any text.
FxNodes read_fx_graph(std::string_view text);

}  // namespace warpwalk::compiled
