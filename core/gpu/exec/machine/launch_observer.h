#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/memory/memory_observer.h"

namespace warpwalk::gpu {

class Machine;
struct AccessLog;
struct Op;

/// A piece that a bulk copy moves between global memory and the shared memory of a cluster.
struct CopiedPiece {
  bool from_global = false, to_global = false;  ///< else shared memory: an offset in the window of the cluster
  bool combines = false;                        ///< the new contents also depend on the old ones
  std::uint64_t from = 0, to = 0;
  std::uint32_t bytes = 0;
  std::uint32_t filled = 0;  ///< bytes behind them at `to` that get a constant value
};

/// Watches the operations of some warps of a launch, and all accesses to global memory. The launch then runs on one
/// host thread, so that its order is always the same.
class LaunchObserver : public MemoryObserver {
 public:
  /// The machine's warp gets its turn. Returns whether its operations are to be observed during the turn.
  virtual bool enters(const Machine& machine) = 0;
  /// Before and after an operation runs. It may have to run again if its lanes wait for others.
  virtual void before(const Machine& machine, const Op& op) = 0;
  virtual void after(const Machine& machine, const Op& op) = 0;
  /// The operation has moved values between the lanes `together`. `sources`: for each of them, the lanes whose values
  /// its result is computed from.
  virtual void exchanged(std::uint32_t together, const std::array<std::uint32_t, 32>& sources) = 0;
  virtual void copied(const CopiedPiece& piece) = 0;
  /// Receives the accesses of each operation to memory (memory/access_log.h), and is emptied by the observer; null:
  /// they are not needed.
  virtual AccessLog* access_log() { return nullptr; }
};

}  // namespace warpwalk::gpu
