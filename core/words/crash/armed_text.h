#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/crash/call_ring.h"

namespace warpwalk::words {

/// Where a call of an armed program was made.
struct CallPlace {
  std::vector<std::string_view> stack;  ///< Python's frames, the innermost first; empty: the call was not from Python
  std::string python;                   ///< "train.py:12": the innermost frame that is not of an installed package
  std::string modules;                  ///< "Model > Table": the classes whose forward() was running
};
CallPlace call_place(const crash::CallRing& calls, const crash::RingEntry& call);

/// "cuLaunchKernel of scale, grid (4,1,1), block (256,1,1), stream 0x7f00", as far as it is known.
std::string call_text(const crash::CallRing& calls, const crash::RingEntry& call);

/// The first call after `launch` that returned an error; null if none did.
const crash::RingEntry* noticed_at(const crash::CallRing& calls, const crash::RingEntry& launch);

/// What the program had allocated there: "4,000 B, allocated by cuMemAlloc at train.py:8 (call 12), freed at train.py:9
/// (call 15)".
std::string allocation_text(const crash::CallRing& calls, const crash::RingAllocation& allocation);

}  // namespace warpwalk::words
