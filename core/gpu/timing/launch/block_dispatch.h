#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/device/sm_layout.h"
#include "core/gpu/exec/run/run_cluster.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

/// Gives blocks to SMs: first those that fit, in the order of the block scheduler (block_order.h), then one for each
/// that ends. The blocks of a cluster start together.
class BlockDispatch {
 public:
  /// `max_blocks`: as TimingOptions::max_blocks.
  BlockDispatch(const Device& device, const Timing& timing, const LaunchContext& context, const Occupancy& occupancy,
                std::uint64_t max_blocks = 0);

  /// Starts the blocks that fit at the beginning.
  void start_first(std::vector<Sm>& sms);
  /// Replaces blocks that ended in the epoch before `now`.
  void replace(std::vector<Sm>& sms, double now);

  /// A number for each SM. SMs that may share clusters, directly or through others, have the same one.
  std::vector<std::uint16_t> cluster_groups() const;

  bool done() const { return ended_ == blocks_; }
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t ended() const { return ended_; }
  const std::vector<SmId>& sm() const { return sm_; }
  const std::vector<double>& start() const { return start_; }
  const std::vector<double>& end() const { return end_; }
  double last_end() const { return last_end_; }

 private:
  struct Free {
    double time;
    std::uint16_t sm;
  };
  std::uint64_t block_in(std::uint64_t group, std::uint32_t rank) const;
  void start_group(std::vector<Sm>& sms, const std::vector<std::uint16_t>& on, double at);
  double interval() const;

  const Device& device_;
  const Timing& timing_;
  const LaunchContext& context_;
  const std::int64_t blocks_per_sm_;
  std::uint64_t blocks_, next_group_ = 0, group_count_, ended_ = 0;
  std::uint32_t group_blocks_;
  std::vector<SmId> sm_;
  std::vector<double> start_, end_;
  std::vector<SmId> cluster_sms_;  ///< clusters: the SM of each block
  std::vector<std::unique_ptr<BlockGroup>> groups_, spare_;
  std::vector<std::uint32_t> group_of_;  ///< by block: index into groups_
  std::vector<double> next_start_;       ///< by SM: the next block starts no earlier
  std::vector<Free> free_;               ///< slots that became free, in the order of time
  double last_end_ = 0;
  Resource dispatcher_;   ///< of the whole GPU
  Resource completions_;  ///< reports of ended blocks: empty kernels of 132 to 4,224 blocks take 1.2 cycles per block
};

}  // namespace warpwalk::gpu
