#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "instrumentation/inside_pattern.h"
#include "instrumentation/simulated/device/module.h"

namespace warpwalk::simulated {

/// Which launches are recorded with their memory, from the environment as it is when a recording begins.
struct InsideWish {
  std::uint64_t limit = 0;  ///< bytes of memory that are recorded with launches
  std::size_t asked = 0;    ///< patterns of --inside: so many launches are recorded even if they are large
  /// Not empty: only the launches that these name are recorded.
  std::vector<instrumentation::InsidePattern> named;
  bool whole = false;  ///< of these, whole allocations, also what a launch does not access of them
  bool ends = false;   ///< the program ends after the last of these launches
};

/// `by_program`: the program has begun the recording itself, so that patterns choose launches as they do with a GPU.
InsideWish inside_wish(bool by_program);

/// How far a recording is, anew for each. It is changed by the GPU's thread only, while the recording is used
/// (Recorder::Use), and before it begins.
struct RecordingProgress {
  InsideWish inside;
  std::uint32_t last_ptx = 0, last_cubin = 0, last_inside = 0;
  std::uint64_t inside_bytes = 0;             ///< recorded with launches
  std::set<const Kernel*> inside_kernels;     ///< of which a launch was recorded with its memory
  std::vector<std::uint64_t> inside_matches;  ///< launches that each of InsideWish::named has matched so far
  /// By module's number: that of its PTX or cubin in the recording.
  std::map<std::uint64_t, std::uint32_t> code_numbers;
};

}  // namespace warpwalk::simulated
