#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// SM number as the hardware counts SMs (%smid). 16 bits, because a schedule stores one for each of millions of blocks.
using SmId = std::uint16_t;

/// The SMs of a device in the groups that the block scheduler uses.
struct SmLayout {
  struct Position {
    bool small = false;  ///< the group is one of small_groups instead of gpcs
    int group = 0;       ///< index into gpcs, or of the small group
  };
  struct SmallTpc {
    int group = 0;
    std::vector<SmId> sms;
  };

  std::size_t tpc_sms = 1;
  std::vector<std::vector<SmId>> gpcs;  ///< SMs of each GPC in TPC order
  std::vector<SmallTpc> small_tpcs;     ///< in group order
  int small_groups = 0;
  std::vector<Position> positions;  ///< indexed by SM

  std::size_t sm_count() const { return positions.size(); }
};

/// Builds the layout. A device without `gpcs` is treated as one GPC with all SMs in order. If its SMs do not divide
/// into whole TPCs, each SM counts as a TPC.
SmLayout layout_of(const Device& device);

}  // namespace warpwalk::gpu
