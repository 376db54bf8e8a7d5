#pragma once

// The parts of the scene "launch": the subject of its beats, and what its table of beats (beats.cpp) names: pictures,
// facts, the question, and two beats with subjects of their own. The types of the picture are those of picture.h, which
// its painter reads.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/story/beats/beat_of.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/launch/stream_queue.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The subject of most beats of the launch scene.
struct LaunchSubject {
  const SceneInput& input;
  Narration::Values values;             ///< for all its words
  StreamQueue queue = {};               ///< from here on: only if the walk has GPU work
  std::optional<LaunchPlan> plan = {};  ///< none for copies, fills and kernels without a recorded grid
  bool transfer = false;                ///< a copy or a fill
  std::uint64_t followed = 0;           ///< number of the followed block

  const Trace& trace() const { return input.trace; }
  const Walk& walk() const { return input.walk; }
  std::string word(std::string_view section, std::string_view key) const {
    return input.narration.text(section, key, values);
  }
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
/// A beat, and the waves that it needs placed.
using LaunchBeat = BeatOf<LaunchSubject, Placed>;

/// Whether a kernel with a recorded grid is followed: only then there are blocks.
bool launches_blocks(const Trace& trace, const Walk& walk);

/// Reads the launch from the trace and the controls. The walk has GPU work.
LaunchSubject launch_subject(const SceneInput& input, Placed placed);

/// The pictures of the beats at a phase: the way of the launch, then the blocks on the SMs, then the waves over time.
LaunchPicture queue_picture(const LaunchSubject& s, double phase);
LaunchPicture cross_picture(const LaunchSubject& s, double phase);
LaunchPicture engine_picture(const LaunchSubject& s, double phase);
LaunchPicture gridless_picture(const LaunchSubject& s, double phase);
LaunchPicture grid_picture(const LaunchSubject& s, double phase);
LaunchPicture place_picture(const LaunchSubject& s, double phase);
LaunchPicture waves_picture(const LaunchSubject& s, double phase);
LaunchPicture tail_picture(const LaunchSubject& s, double phase);

/// A count with thousands separators.
std::string whole_text(std::uint64_t n);

/// The beat "tile" of a matrix product: C as a mosaic of tiles, one for each block, and how one element is added up.
std::shared_ptr<const AnyBeat> tile_beat();

/// The last beat of scene 4: the block scheduler at work on the simulated GPU, cycle by cycle, beside what was
/// measured. Without cycles, it says why, under the picture of the beat before.
std::shared_ptr<const AnyBeat> simulated_blocks_beat();

/// The question of the beat "place": how many SMs get a block at first? None for a launch that the person changed, or
/// if there is nothing to choose from.
std::optional<Ask> place_question(const LaunchSubject& s);

void nothing_facts(const LaunchSubject& s, FactWriter& facts);
void queue_facts(const LaunchSubject& s, FactWriter& facts);
void cross_facts(const LaunchSubject& s, FactWriter& facts);
void engine_facts(const LaunchSubject& s, FactWriter& facts);
void gridless_facts(const LaunchSubject& s, FactWriter& facts);
void grid_facts(const LaunchSubject& s, FactWriter& facts);
void place_facts(const LaunchSubject& s, FactWriter& facts);
void waves_facts(const LaunchSubject& s, FactWriter& facts);
void tail_facts(const LaunchSubject& s, FactWriter& facts);

}  // namespace warpwalk::story
