#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/ranks/call_order.h"

namespace warpwalk::analysis {

using CallSigns = std::span<const CallSign>;
using CallPlace = std::int64_t;  ///< in a list, or the difference of two

inline CallPlace calls_in(CallSigns list) { return static_cast<CallPlace>(list.size()); }
inline bool have_common_end(const CallSign& a, const CallSign& b) { return a.common_end && b.common_end; }

/// By how much, ns, two ranks' times between ends may differ that are `gap` apart, with this noise of the ends.
std::int64_t gap_tolerance(std::int64_t gap, std::int64_t noise);

/// The shift that fits most of two lists: place i of b is place i + shift of a.
struct CallShift {
  CallPlace shift = 0;
  std::int64_t noise = 0;  ///< ns, by which ends of a collective usually differ at most
};
/// Neither list may be empty.
CallShift best_shift(CallSigns a, CallSigns b);

}  // namespace warpwalk::analysis
