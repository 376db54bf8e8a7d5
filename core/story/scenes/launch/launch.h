#pragma once

// The parts of the scene "launch": the plan of the followed launch, the picture, two beats with stages of their own,
// the question, and the facts. The types of the picture are those of picture.h, which its painter reads.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/launch/stream_queue.h"
#include "core/story/facts/words/ask.h"
#include "core/story/scenes/launch/picture.h"
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

/// The picture of a beat at the moment's phase.
LaunchPicture launch_picture(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                             const Narration::Values& values);

/// A count with thousands separators.
std::string whole_text(std::uint64_t n);

/// The beat "tile" of a matrix product: C as a mosaic of tiles, one for each block, and how one element is added up.
Stage tile_stage(const SceneInput& input, std::vector<Beat> beats, const LaunchSubject& subject,
                 Narration::Values values);

/// The last beat of scene 4: the block scheduler at work on the simulated GPU, cycle by cycle, beside what was
/// measured. Without cycles, it says why, under the picture of the beat before. `subject` is that of the beat "tail".
Stage simulated_blocks_stage(const SceneInput& input, std::vector<Beat> beats, const LaunchSubject& subject,
                             Narration::Values values);

/// The next or the previous cycle at which a block starts or ends; none without cycles.
std::optional<std::int64_t> simulated_blocks_stop(const SceneInput& input, bool forward);

/// The question of the beat "place": how many SMs get a block at first? None for a launch that the person changed, or
/// if there is nothing to choose from.
std::optional<Ask> place_question(const SceneInput& input, const LaunchSubject& subject,
                                  const Narration::Values& values);

/// Adds the facts of a beat, and what the trace lacks for it.
void launch_facts(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                  const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
