#pragma once

// The parts of the scene "tour": the subject of its steps, and the functions that its table of steps (beats.cpp) names.
// All steps are on one plane (world.h); each one is a picture of a part of it, and the camera flies from one to the
// next.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/story/beats/beat_of.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/pictures/plane.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The subject of all steps: the followed number and where it is computed.
struct Tour {
  const Here& here;
  const SceneInput& input;
  Narration::Values values;  ///< for all words
  FollowedNumber number;     ///< an element of a matrix product
  MatrixProduct product;
  Receipt receipt;
  LaunchPlan plan;          ///< as launched, with the blocks of the first wave placed
  std::uint64_t block = 0;  ///< that computes the number
  std::uint32_t sm = 0;     ///< on which that block runs

  const Trace& trace() const { return input.trace; }
  const Walk& walk() const { return input.walk; }
  std::int64_t sms() const { return *plan.device->sm_count; }
  /// Words on the plane: [tour.word] of the narration.
  std::string word(std::string_view key) const { return input.narration.text("tour.word", key, values); }
  /// The same with values that only this place has.
  std::string word(std::string_view key, const Narration::Values& more) const;
  /// Whether the step's question waits for its answer: the picture then does not give it away.
  bool asks(std::string_view question) const;
  /// An element of a (operand 0) or b (operand 1) as the trace or the simulation has it, as short as it can be written;
  /// "" if it is not known.
  std::string element(std::size_t operand, std::int64_t row, std::int64_t column) const;
  /// The followed number as the kernel leaves it; none if the elements are not known.
  std::optional<float> result() const;
};

/// A part of the tour.
enum class Chapter : std::uint8_t { why, cpu, gpu, inside, back };

/// What only steps have.
struct TourStep {
  /// The picture at a phase of the step's own motion, 0 to 1.
  PlanePicture (*plane)(const Tour&, double phase) = nullptr;
  Chapter chapter = Chapter::why;
  std::string_view deeper_scene = {}, deeper_beat = {};  ///< the beat that has the rest of it
  std::string_view lab = {};                             ///< where a reader can change it
};
using TourBeat = BeatOf<Tour, TourStep>;

/// The anchors of steps, by what happens in them; none if the walk has no tour.
std::optional<std::int64_t> tour_start(const WalkTimes& times);
std::optional<std::int64_t> tour_launch(const WalkTimes& times);
std::optional<std::int64_t> tour_returned(const WalkTimes& times);
std::optional<std::int64_t> tour_kernel(const WalkTimes& times);
std::optional<std::int64_t> tour_end(const WalkTimes& times);

/// Makes the subject. The walk has a tour.
Tour tour_subject(const Here& here);

/// "48", "-0.53": a number in as few characters as it needs, at most two places behind the point.
std::string short_number(double value);

// The pictures of the steps, by chapter; each is in the file of its chapter.
PlanePicture line_plane(const Tour& s, double phase);
PlanePicture blocks_plane(const Tour& s, double phase);
PlanePicture placed_plane(const Tour& s, double phase);

}  // namespace warpwalk::story
