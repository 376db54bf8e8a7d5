#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::cuda {

/// The record that a probed kernel writes for each block, in block order (x fastest).
struct BlockStamp {
  std::uint64_t start = 0;  ///< %globaltimer when the block's first thread began, ns; steps of 32 ns on an H200
  std::uint64_t end = 0;    ///< the latest %globaltimer at which one of its warps ended
  std::uint32_t sm = 0;     ///< %smid
  std::uint32_t unused = 0;
};

/// Returns the PTX of the module with a probe in `entry` that records where and when its blocks run. The entry gets one
/// more parameter at the end: a pointer to one zeroed BlockStamp per block. Thread (0, 0, 0) of a block first stores
/// the start time and the SM; when a warp ends, one of its lanes updates the block's end with an atomic maximum. The
/// probe costs a few registers, one store per block and one atomic per warp; callers that show the result must say so.
/// On failure, returns a one-line message: the PTX does not parse, has no such entry, or does not have one statement
/// per line (as compilers write it).
base::Result<std::string> insert_placement_probe(std::string_view ptx, std::string_view entry);

}  // namespace warpwalk::cuda
