#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Bytes of a register frame.
struct FramePlace {
  std::uint32_t offset = 0, bytes = 0;
};

/// The registers that decide the control flow in a set of basic blocks: branch conditions and everything that they are
/// computed from.
struct ControlDependencies {
  std::vector<FramePlace> places;
  std::set<std::uint32_t> blocks;  ///< the blocks with these branches or with instructions that write the registers
  bool from_memory = false;
};

/// The dependencies of the branches that `deciding` contains, in these blocks of one function (indices into
/// Program::blocks).
ControlDependencies control_dependencies(const Program& program, const std::set<std::uint32_t>& blocks,
                                         const std::set<std::uint32_t>& deciding);

}  // namespace warpwalk::gpu
