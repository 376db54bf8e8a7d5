#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_id.h"

namespace warpwalk::gpu {

/// The SMs of a device in the groups through which they get their blocks.
struct SmLayout {
  struct Place {
    bool small = false;  ///< the group is one of small_groups, not of gpcs
    int group = 0;       ///< index in gpcs, or of the small group
  };
  struct SmallTpc {
    int group = 0;
    std::vector<SmId> sms;
  };

  std::size_t tpc_sms = 1;
  std::vector<std::vector<SmId>> gpcs;  ///< each TPC by TPC
  std::vector<SmallTpc> small_tpcs;     ///< group by group
  int small_groups = 0;
  std::vector<Place> places;  ///< by SM

  std::size_t sm_count() const { return places.size(); }
};

/// A device without `gpcs` has one, of all its SMs in order; SMs that make no whole TPC then count as TPCs of one.
SmLayout layout_of(const Device& device);

}  // namespace warpwalk::gpu
