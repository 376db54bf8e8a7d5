#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/story/facts/launch_plan.h"
#include "core/story/facts/stream_queue.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// All that a beat of the launch is told from. The walk has GPU work.
struct LaunchStory {
  StreamQueue queue;
  std::optional<LaunchPlan> plan;  ///< none for copies, fills and kernels without a recorded grid
  bool transfer = false;           ///< a copy or a fill
  std::uint64_t followed = 0;      ///< number of the followed block

  /// The followed block, where it is among those placed.
  const PlacedBlock* followed_block() const;
  /// How many SMs got a block.
  std::uint64_t sms_used() const;
  /// How many SMs of the plan's GPU got none; 0 where its number of SMs is not known.
  std::uint64_t sms_idle() const;
  /// How many blocks have a slot before any other block leaves one.
  std::uint64_t first_fill() const;
};

/// "128 blocks", "one block": a count in words of the narration, [launch.count].
std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n);

/// The words of the limiters, "registers, shared memory".
std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy);

/// The picture of a beat at the moment's phase.
LaunchPicture launch_picture(const SceneInput& input, const LaunchStory& story, std::string_view beat,
                             const Narration::Values& values);

/// Adds what a beat tells, and what it cannot tell.
void launch_facts(const SceneInput& input, const LaunchStory& story, std::string_view beat,
                  const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
