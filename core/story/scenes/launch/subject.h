#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/launch/stream_queue.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The content of a beat of the launch scene. The walk has GPU work.
struct LaunchSubject {
  StreamQueue queue;
  std::optional<LaunchPlan> plan;  ///< none for copies, fills and kernels without a recorded grid
  bool transfer = false;           ///< a copy or a fill
  std::uint64_t followed = 0;      ///< number of the followed block

  /// The followed block, or null if it is not among those placed.
  const PlacedBlock* followed_block() const;
  /// SMs that got a block.
  std::uint64_t sms_used() const;
  /// SMs of the plan's GPU that got none; 0 if its number of SMs is not known.
  std::uint64_t sms_idle() const;
  /// Blocks that have a slot before any other block leaves one.
  std::uint64_t first_fill() const;
  /// Blocks of a recorded placement that started in a slot that an earlier block had left; 0 for a simulated one.
  std::uint64_t reused() const;
};

/// Reads what the beat with this key needs from the trace and the controls.
LaunchSubject launch_subject(const SceneInput& input, std::string_view beat);

}  // namespace warpwalk::story
