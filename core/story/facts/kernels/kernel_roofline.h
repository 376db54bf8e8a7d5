#pragma once

#include <cstddef>

#include "core/analysis/kernels/kernel_table.h"
#include "core/story/elements/narration.h"
#include "core/story/pictures/scatter.h"

namespace warpwalk::story {

/// The kernels of a table on one roofline: FLOPs per byte of compulsory traffic across, achieved FLOP/s up, both
/// logarithmic (Williams, Waterman, Patterson 2009). Roofs: DRAM bandwidth, and the peak of each execution unit that a
/// point needs; none if the GPU's peaks are not known.
struct KernelRoofline {
  ScatterPicture picture;
  std::size_t points = 0;    ///< kernel names with FLOPs, bytes and a time
  std::size_t without = 0;   ///< the other kernel names
  double share_without = 0;  ///< of the time of all kernels, 0 to 1
};

KernelRoofline kernel_roofline(const Narration& narration, const analysis::KernelTable& table);

}  // namespace warpwalk::story
