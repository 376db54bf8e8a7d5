#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/scatter.h"

namespace warpwalk::story {

// Axes of sizes in memory: their numbers are powers of two or multiples of one, so that they are whole in KiB or MiB.

/// Numbers of an even axis from 0 to `last` bytes: a power of two apart, at most `most` beside the 0.
std::vector<std::pair<double, std::string>> even_size_ticks(double last, int most);
/// A logarithmic axis with `least` and `most` bytes, whose ends are powers of two.
ScatterAxis size_axis(std::string label, double least, double most);

}  // namespace warpwalk::story
