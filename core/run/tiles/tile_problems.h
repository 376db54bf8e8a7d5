#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/exec/finding.h"
#include "core/run/tiles/kernel_tiles.h"

namespace warpwalk::run {

/// An access of the program to elements that are in no buffer.
struct OutsideAccess {
  const TileAccess* access = nullptr;
  std::size_t first = 0, count = 0;  ///< elements that are outside, and not masked off
};

/// The accesses of a block to elements outside of all buffers, in the order of the program.
std::vector<OutsideAccess> outside_accesses(const BlockValues& block, const gpu::Program& program,
                                            const gpu::Launch& launch);
/// One line: the line of Python, the tensor, the first element, and where its address is.
std::string outside_text(const KernelTiles& kernel, const OutsideAccess& outside, const gpu::Program& program,
                         const gpu::Launch& launch);

/// The first NaN that a block computes.
struct FirstNan {
  const TileValue* value = nullptr;
  NanCount nans;
};
std::optional<FirstNan> first_nan(const BlockValues& block);
/// One line: the line of Python, the tensor and the index, and whether it was read or computed.
std::string first_nan_text(const KernelTiles& kernel, const BlockValues& block, const FirstNan& nan,
                           const gpu::Program& program, const gpu::Launch& launch);

/// What a finding about an access to global memory means in the program: the tensor and the index of the element that
/// the thread accesses there. Empty if the program has no such access.
std::string tile_of_finding(KernelTiles& kernel, const gpu::Finding& finding, const gpu::Program& program,
                            const gpu::Launch& before);

/// "x_ptr[37]" of an address; beyond all buffers "24 bytes past the end of x_ptr".
std::string address_text(const gpu::Program& program, const gpu::Launch& launch, std::uint64_t address, int bytes);

}  // namespace warpwalk::run
