#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/replay/time_travel.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// When and where a block ran.
struct BlockTime {
  std::uint64_t block = 0;  ///< number in the grid, x fastest
  std::uint16_t sm = 0;
  std::uint16_t slot = 0;  ///< the first of the SM's block slots that was free when it started
  std::uint32_t turn = 0;  ///< how many blocks had this slot before
  std::int64_t start = 0;
  std::int64_t end = 0;  ///< if it did not end: the end of the known cycles
  bool ended = true;

  bool resident(std::int64_t at) const { return start <= at && at < end; }
};

/// The starts and ends of the blocks of one launch, in cycles or ns since the first block's start.
struct BlockTimes {
  std::vector<BlockTime> blocks;  ///< those that started, by start, then number
  std::uint64_t grid = 0;         ///< blocks of the launch
  std::int64_t end = 0;           ///< the last end

  std::vector<BlockTime> on(std::uint16_t sm) const;
  /// Blocks that are resident at a time.
  std::uint64_t resident(std::int64_t at) const;
  /// Blocks that have ended by a time.
  std::uint64_t ended(std::int64_t by) const;
  /// Blocks that started in a slot that no block had before.
  std::uint64_t first_wave() const;
  std::optional<BlockTime> first_ended() const;
  /// The first block in a slot that another one had.
  std::optional<BlockTime> first_later() const;
  std::optional<BlockTime> last_started() const;
  std::optional<BlockTime> last_ended() const;
};

/// The largest number of blocks that are resident at the same time.
std::uint64_t most_at_once(const std::vector<BlockTime>& blocks);

/// On the simulated GPU, in cycles.
BlockTimes simulated_blocks(const run::TimeTravel& travel);
/// Times measured on a GPU, in ns; none if the trace lacks starts or ends, or if they are damaged. Slots are
/// derived.
std::optional<BlockTimes> measured_blocks(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
