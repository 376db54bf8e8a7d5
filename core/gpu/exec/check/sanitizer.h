#pragma once

#include <cstdint>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

class Machine;

/// What --sanitize adds to a machine: reads of shared and local memory that nobody has written, races in shared memory.
/// Its memory is the block's (SharedShadow) and the warp's (stack_written).
class Sanitizer {
 public:
  /// Lanes access shared memory at these offsets (inside, aligned).
  void shared(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
              bool atomic) const;
  void local(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
             bool reads) const;

  /// Warps of the block (a bit each) have met at barrier `id`.
  void block_sync(Machine& machine, std::uint64_t warps, std::uint32_t id) const;
  /// The current warp goes past barrier `id` without waiting.
  void arrive(Machine& machine, std::uint32_t id) const;
  /// Lanes of the current warp have met.
  void warp_sync(Machine& machine, std::uint32_t mask) const;
  /// The current warp has issued a fence.
  void fence(Machine& machine) const;
  /// The block has ended, or the launch: tells of reads of what nobody had written, unless they were races.
  void block_ended(Machine& machine) const;
};

}  // namespace warpwalk::gpu
