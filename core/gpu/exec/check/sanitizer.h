#pragma once

#include <cstdint>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

class Machine;
struct BlockState;
struct Warp;

/// The checks of --sanitize: reads of uninitialised shared and local memory, races in shared memory. The state is kept
/// in the block (SharedShadow) and in the warp (stack_written).
class Sanitizer {
 public:
  /// Lanes access shared memory at these offsets, which are in bounds and aligned.
  void shared(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
              bool atomic) const;
  void local(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
             bool reads) const;

  /// Warps of the block (a bit mask) have synchronized at barrier `id`.
  void block_sync(Machine& machine, std::uint64_t warps, std::uint32_t id) const;
  /// The current warp arrives at barrier `id` without waiting.
  void arrive(Machine& machine, std::uint32_t id) const;
  /// Lanes of the current warp have synchronized.
  void warp_sync(Machine& machine, std::uint32_t mask) const;
  /// The current warp has issued a fence.
  void fence(Machine& machine) const;
  /// The current warp has arrived at the cluster's barrier.
  void cluster_arrive(Machine& machine, bool relaxed) const;
  /// A warp of a block of the cluster has waited for a phase of the cluster's barrier.
  void cluster_wait(BlockState& block, const Warp& warp, std::uint32_t phase) const;
  /// The current block has ended: reports accesses of other blocks to its memory that are not ordered before that.
  void leave_cluster(Machine& machine) const;
  /// The block, its cluster or the launch has ended: reports reads of uninitialised memory, except those that were
  /// races.
  void block_ended(Machine& machine) const;
};

}  // namespace warpwalk::gpu
