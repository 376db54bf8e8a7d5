#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu/history/pipeline/phases.h"

namespace warpwalk::gpu {

/// What a warp does for a pipeline through shared memory, by the instructions that it issued.
enum class WarpRole : std::uint8_t {
  other,     ///< neither fills nor reads shared memory
  producer,  ///< fills it
  consumer,  ///< reads it
  both,
};

/// Neighbouring warps of a block with one role.
struct WarpGroup {
  std::uint32_t first = 0, count = 0;  ///< warps
  WarpRole role = WarpRole::other;
  TaskCounts tasks{};  ///< of all its warps
};

/// The groups of a block's warps, ascending. A warp fills shared memory if it starts copies to it; if no warp of the
/// block does that, then if it stores to it. It reads shared memory if it multiplies matrices, loads from it, or starts
/// copies from it.
std::vector<WarpGroup> groups_of(const BlockLog& log);

enum class StageState : std::uint8_t {
  empty,
  filling,  ///< copies to it are under way
  full,     ///< the copies have been counted, and it has not been given back
};
struct StageSpan {
  std::int64_t from = 0, to = 0;
  StageState state = StageState::empty;
  std::uint32_t round = 0;  ///< how often it has been filled, with this time
};

/// A part of shared memory that is filled again and again by copies that one mbarrier counts.
struct PipelineStage {
  std::uint32_t full = 0;                   ///< offset of that mbarrier
  std::optional<std::uint32_t> empty = {};  ///< that of the mbarrier that gives it back
  std::vector<StageSpan> spans;             ///< without gaps, from the block's start to the end of the log

  const StageSpan* at(std::int64_t cycle) const;
};

/// The stages of a block's pipeline, in the order in which they are filled first. `mbarriers` are those of the log. The
/// mbarrier that gives a stage back is the one that the copying warp most often tested last before it filled the stage.
std::vector<PipelineStage> stages_of(const BlockLog& log, const std::vector<MbarrierLife>& mbarriers);

}  // namespace warpwalk::gpu
