#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// The basic blocks of a function and how control goes from one to the other. The last block is empty: every `ret`
/// leads there.
struct Flow {
  struct Node {
    std::uint32_t first = 0, end = 0;       ///< instructions
    std::vector<std::uint32_t> successors;  ///< blocks; of a branch the target comes first
    std::uint32_t post_dominator = none;    ///< the nearest block that all ways out of this one lead through
  };
  static constexpr std::uint32_t none = 0xffffffff;

  std::vector<Node> nodes;
  std::vector<std::uint32_t> node_of;  ///< by instruction; one more for the end

  std::uint32_t last() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
};

/// Ways that end in exit or trap, and loops without end, do not count as ways out: the lanes that go there are gone,
/// and the others meet as if they had never been.
Flow flow_of(const ptx::Module& module, const ptx::Function& function);

}  // namespace warpwalk::gpu
