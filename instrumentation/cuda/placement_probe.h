#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::cuda {

/// What a probed kernel leaves for each block, in block order (x fastest).
struct BlockStamp {
  std::uint64_t start = 0;  ///< %globaltimer when the block's first thread began, ns; steps of 32 ns on an H200
  std::uint64_t end = 0;    ///< the latest %globaltimer at which one of its warps ended
  std::uint32_t sm = 0;     ///< %smid
  std::uint32_t unused = 0;
};

/// The PTX of a module in which `entry` writes down where and when its blocks run. It has one parameter more, the last:
/// a pointer to a BlockStamp for each block, all zero. Thread (0, 0, 0) of a block stores start and SM before anything
/// else; where a warp ends, one of its lanes makes its time the block's end if that is the latest. That costs a few
/// registers, one store and an atomic a warp: whoever shows the result says so. The error is one line: the PTX does not
/// parse, has no such entry, or is not written a statement a line (as compilers write it).
std::variant<std::string, std::string> probed(std::string_view ptx, std::string_view entry);

}  // namespace warpwalk::cuda
