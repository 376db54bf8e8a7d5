#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// A collective as NCCL ran it on several GPUs of one machine (tests/cuda/microbench/collectives.py).
struct CollectiveTime {
  int gpus = 0;
  std::string kind;      ///< "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"
  double bytes = 0;      ///< of the message, as nccl-tests counts it
  double ns = 0;         ///< median
  double algorithm = 0;  ///< GB/s: bytes / time
  double bus = 0;        ///< GB/s: what each link carried
};

/// Reads h200_collectives.csv. On failure: one line without the file's name.
base::Result<std::vector<CollectiveTime>> parse_collective_times(std::string_view text);

/// The measured time of this collective; null if it was not measured.
const CollectiveTime* find_collective(const std::vector<CollectiveTime>& times, int gpus, std::string_view kind,
                                      double bytes);

}  // namespace warpwalk::records
