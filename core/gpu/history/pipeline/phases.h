#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu/history/pipeline/block_log.h"

namespace warpwalk::gpu {

/// What an mbarrier lacks from a cycle on.
struct MbarrierCount {
  std::int64_t cycle = 0;
  std::uint32_t arrivals = 0;
  std::int64_t bytes = 0;  ///< negative: copies have brought bytes that nobody has announced yet
  friend bool operator==(const MbarrierCount&, const MbarrierCount&) = default;
};

/// A warp in the cycles in which it waited for the end of a phase.
struct PhaseWaiter {
  std::uint32_t warp = 0, instruction = 0;
  std::int64_t from = 0;
  std::optional<std::int64_t> to = {};  ///< none: it still waits at the end of the log
  bool waits_at(std::int64_t cycle) const { return cycle >= from && (!to || cycle < *to); }
};

/// One phase of an mbarrier.
struct MbarrierPhase {
  std::uint32_t number = 0;  ///< from 0 on; its parity is the last bit
  std::int64_t from = 0;
  std::optional<std::int64_t> completed = {};  ///< the cycle in which the last arrival or byte was counted
  bool by_bytes = false;                       ///< that was a byte of a copy, not an arrival
  std::uint32_t expected = 0;                  ///< arrivals
  std::uint64_t announced = 0;                 ///< bytes, so far as they were counted up in cycles of their own
  std::vector<MbarrierCount> counts;           ///< ascending, the first one at `from`
  std::vector<PhaseWaiter> waiters;            ///< by warp

  /// What it lacks at the beginning of a cycle that it lasts in.
  const MbarrierCount& at(std::int64_t cycle) const;
};

/// An mbarrier of a block.
struct MbarrierLife {
  std::uint32_t offset = 0;   ///< in the block's shared window
  bool counts_bytes = false;  ///< copies or announcements of bytes have changed it
  std::vector<MbarrierPhase> phases;

  /// The phase that lasts at the beginning of a cycle; null before it is initialized.
  const MbarrierPhase* at(std::int64_t cycle) const;
};

/// The phases of the mbarriers of a block, by offset.
std::vector<MbarrierLife> mbarriers_of(const BlockLog& log);

/// A wait of all or some threads of a block at a barrier (bar.sync), from the first arrival until it is complete.
struct NamedBarrierUse {
  std::int64_t from = 0;
  std::optional<std::int64_t> to = {};
  std::uint32_t expected = 0;  ///< threads; 0: all live threads
};
/// The uses of a barrier with this number that lasted longer than a cycle.
std::vector<NamedBarrierUse> uses_of_named_barrier(const BlockLog& log, std::uint32_t number);

}  // namespace warpwalk::gpu
