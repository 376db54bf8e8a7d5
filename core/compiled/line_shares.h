#pragma once

#include <string_view>
#include <vector>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// A line of the program with its share of a compiled kernel.
struct LineShare {
  PythonLine python;
  double share = 0;  ///< of 1; the shares of a kernel add up to 1
};

/// Divides a fused kernel among the lines that it computes: equally among the nodes of its FX graph that have a line,
/// else among its lines. What each node costs inside a kernel is not known. If several kernels have the name (PyTorch
/// numbers them in each graph anew), each of them counts equally. Empty: no line of the kernel is known.
std::vector<LineShare> line_shares(const Compiled& compiled, std::string_view kernel);

}  // namespace warpwalk::compiled
