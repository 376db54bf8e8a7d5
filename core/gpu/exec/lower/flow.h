#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// Control-flow graph of a function. The last basic block is empty; every `ret` leads to it.
struct ControlFlow {
  struct Node {
    std::uint32_t first = 0, end = 0;       ///< instructions
    std::vector<std::uint32_t> successors;  ///< node indices; a branch's target comes first
    std::uint32_t post_dominator = none;    ///< immediate post-dominator
  };
  static constexpr std::uint32_t none = 0xffffffff;

  std::vector<Node> nodes;
  std::vector<std::uint32_t> node_of;  ///< by instruction; one extra entry for the end

  std::uint32_t last() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
};

/// Builds the control-flow graph. Paths that end in exit or trap, and infinite loops, are ignored for
/// post-dominance: their lanes never return, and the other lanes reconverge without them.
ControlFlow build_control_flow(const ptx::Module& module, const ptx::Function& function);

}  // namespace warpwalk::gpu
