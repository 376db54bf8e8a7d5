#pragma once

#include <vector>

namespace warpwalk::story {

/// One step of a loop that copies a pair of tiles and then multiplies them; all times in the unit of the inputs.
struct OverlapStep {
  double copy_start = 0, copy_end = 0;
  double multiply_start = 0, multiply_end = 0;
};

/// When each step of such a loop runs if there are `buffers` pairs of tiles. Copies follow each other, and so do
/// multiplications. A multiplication waits for its copy; a copy waits until the multiplication that used its buffer
/// before has ended. With one buffer nothing overlaps.
std::vector<OverlapStep> overlapped(int steps, double copy, double multiply, int buffers);

}  // namespace warpwalk::story
