#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// What PyTorch records of a collective (record_param_comms, torch/csrc/profiler/util.cpp: saveNcclMeta). -1 and empty:
/// not recorded.
struct CollectiveFields {
  CollectiveKind kind = CollectiveKind::other;
  std::string group, description;
  std::vector<std::int64_t> ranks;  ///< of the group, ascending; also from "Global rank start" and "... stride"
  std::int64_t rank = -1;           ///< of the process within the group
  std::int64_t size = -1;           ///< of the group
  std::int64_t sequence = -1;
  std::int64_t bytes = 0;  ///< the larger one of what the rank gives and gets
  std::int64_t peer = -1;  ///< of send and receive
};

/// The fields of a slice (Slices::extra); none if it is no collective.
std::optional<CollectiveFields> collective_fields(std::string_view extra);

/// "all_reduce" of "allreduce", "_all_reduce_", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL".
CollectiveKind collective_kind_of(std::string_view name);

}  // namespace warpwalk::analysis
