#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/history/pipeline/stages.h"

namespace warpwalk::gpu {

/// How the warps of a block hand data over through shared memory, at any cycle of the log.
struct BlockPipeline {
  BlockLog log;
  std::vector<MbarrierLife> mbarriers;  ///< by offset
  std::vector<WarpGroup> groups;
  std::vector<PipelineStage> stages;

  /// The block uses mbarriers or asynchronous copies.
  bool is_asynchronous() const;
  /// Some of its groups only fill shared memory, and others only read it.
  bool is_specialized() const;
  /// The index of the mbarrier and its phase that a warp waits for at the beginning of a cycle; null: it waits for
  /// none.
  struct Wait {
    std::size_t mbarrier = 0;
    const MbarrierPhase* phase = nullptr;
    const PhaseWaiter* waiter = nullptr;
  };
  Wait wait_of(std::uint32_t warp, std::int64_t cycle) const;
  /// The longest wait for an mbarrier, of the warp with the lowest number; phase is null if no warp waits.
  Wait longest_wait() const;
  /// The warps that wait for an mbarrier at the beginning of a cycle, ascending.
  std::vector<std::uint32_t> waiting_for(std::size_t mbarrier, std::int64_t cycle) const;
  /// Started copies of a warp group before a cycle, and their bytes.
  struct Copies {
    std::uint64_t count = 0, bytes = 0;
  };
  Copies copies_of(const WarpGroup& group, std::int64_t before) const;
};

BlockPipeline pipeline_of(BlockLog log);

}  // namespace warpwalk::gpu
