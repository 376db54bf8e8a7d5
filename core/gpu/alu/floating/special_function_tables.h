#pragma once

#include <span>

#include "core/gpu/alu/per_lane.h"

namespace warpwalk::gpu::alu::special {

/// The polynomial of one segment: c0 in units of 1/8, c1 and c2 in units of the last place of the result's table; the
/// argument runs from 0 to 1 in the segment.
struct Segment {
  std::int32_t c0, c1, c2;
};

/// The segments of a function. `bias` is added to each c0; unit: 2^-17.
struct SegmentTable {
  std::span<const Segment> segments;
  std::int64_t bias;
};

// The unit of a table's values is 2^-24 for results below 1 (reciprocal, inverse roots, tanh) and for the roots, else
// 2^-23. Root tables: exponent of the argument even or odd.
extern const SegmentTable reciprocals, inverse_roots_even, inverse_roots_odd, roots_even, roots_odd, powers, logarithms,
    sines, hyperbolic_tangents;

}  // namespace warpwalk::gpu::alu::special
