#pragma once

#include <cstdint>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

class Machine;

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
  /// The block or the launch has ended: reports reads of uninitialised memory, except those that were races.
  void block_ended(Machine& machine) const;
};

}  // namespace warpwalk::gpu
