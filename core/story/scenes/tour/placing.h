#pragma once

// Where the blocks of the grid are, and when: for the steps in which they come to the SMs and leave them.

#include <cstdint>
#include <vector>

#include "core/story/facts/simulated/block_times.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {

struct Placing {
  static constexpr std::uint64_t most_drawn = 4096;  ///< blocks: more could not be told apart

  std::vector<const PlacedBlock*> first;  ///< by block: its slot, if it starts at once
  std::vector<std::uint64_t> waiting;     ///< the others
  BlockTimes times;                       ///< measured, else simulated; empty if starts and ends are not known
  std::vector<std::size_t> index;         ///< by block: into times.blocks
  std::vector<std::int64_t> calls;        ///< of those that wait, ascending

  /// Null if its times are not known.
  const BlockTime* time_of(std::uint64_t block) const {
    return block < index.size() && index[block] < times.blocks.size() ? &times.blocks[index[block]] : nullptr;
  }
  /// Whether a block has to wait until a slot is free.
  bool waits(std::uint64_t block) const {
    const BlockTime* const time = time_of(block);
    return time != nullptr ? time->turn > 0 : first[block] == nullptr;
  }
  /// The slot that a block gets, if that is known.
  std::optional<PlaneBox> slot_of(const Tour& s, std::uint64_t block) const;
  /// When the slot became free that a waiting block gets; none if that is not known. The block starts some time later.
  std::optional<std::int64_t> called(std::uint64_t block) const;
  /// The first of these times, and the one by which half of those that wait have been called.
  std::int64_t first_called() const, half_called() const;
};

/// The first blocks of the grid, at most `most_drawn`. Points into `s`.
Placing placing_of(const Tour& s);

}  // namespace warpwalk::story
