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
  /// The origin of the trace's own figures: measured, or simulated if warpwalk itself ran the expression.
  Origin recorded() const { return trace().records.time_origin(); }
  std::int64_t sms() const { return *plan.device->sm_count; }
  /// Words on the plane: [tour.word] of the narration.
  std::string word(std::string_view key) const { return input.narration.text("tour.word", key, values); }
  /// The same with values that only this place has.
  std::string word(std::string_view key, const Narration::Values& more) const;
  /// An element of a (operand 0) or b (operand 1) as the trace or the simulation has it, as short as it can be written;
  /// "" if it is not known.
  std::string element(std::size_t operand, std::int64_t row, std::int64_t column) const;
  /// The followed number as the kernel leaves it; none if the elements are not known.
  std::optional<float> result() const;
};

/// A part of the tour.
enum class Chapter : std::uint8_t { why, cpu, gpu, inside, back };

/// The parts of a beat that only a step of the tour has.
struct TourStep {
  /// The picture at a phase of the step's own motion, 0 to 1.
  PlanePicture (*plane)(const Tour&, double phase) = nullptr;
  Chapter chapter = Chapter::why;
  std::string_view deeper_scene = {}, deeper_beat = {};  ///< the beat that has the rest of it
  std::string_view lab = {};                             ///< where a reader can change it
};
using TourBeat = BeatOf<Tour, TourStep>;

/// When steps begin in the trace, by what happens in them, in ns; none if the walk has no tour.
std::optional<std::int64_t> tour_start(const WalkTimes& times);
std::optional<std::int64_t> tour_launch(const WalkTimes& times);
std::optional<std::int64_t> tour_returned(const WalkTimes& times);
std::optional<std::int64_t> tour_kernel(const WalkTimes& times);
std::optional<std::int64_t> tour_end(const WalkTimes& times);

/// Makes the subject. The walk has a tour.
Tour tour_subject(const Here& here);

/// Whether a question of this step waits for its right answer: the picture then does not give it away.
bool open_question(const Tour& s, const std::optional<Ask>& asked);
/// The warp of the followed block that computes the followed number.
std::int64_t followed_warp(const Tour& s);

/// The name of the kernel, short.
std::string launched_kernel(const Tour& s);

// The pictures of the steps, by chapter; each is in the file of its chapter.
PlanePicture line_plane(const Tour& s, double phase);
PlanePicture why_plane(const Tour& s, double phase);
PlanePicture call_plane(const Tour& s, double phase);
PlanePicture dispatch_plane(const Tour& s, double phase);
PlanePicture memory_plane(const Tour& s, double phase);
PlanePicture compiled_plane(const Tour& s, double phase);
PlanePicture order_plane(const Tour& s, double phase);
PlanePicture returns_plane(const Tour& s, double phase);
PlanePicture blocks_plane(const Tour& s, double phase);
PlanePicture placed_plane(const Tour& s, double phase);
PlanePicture limit_plane(const Tour& s, double phase);
PlanePicture warps_plane(const Tour& s, double phase);
PlanePicture relu_plane(const Tour& s, double phase);
PlanePicture wait_plane(const Tour& s, double phase);
PlanePicture receipt_plane(const Tour& s, double phase);
PlanePicture whole_plane(const Tour& s, double phase);

// Their sections in the narration, the values of their words and their questions.
std::string why_section(const Tour& s);
std::string dispatch_section(const Tour& s);
std::string memory_section(const Tour& s);
std::string compiled_section(const Tour& s);
std::string order_section(const Tour& s);
std::string returns_section(const Tour& s);
std::string placed_section(const Tour& s);
std::string limit_section(const Tour& s);
std::string relu_section(const Tour& s);
std::string wait_section(const Tour& s);
std::string receipt_section(const Tour& s);
void why_values(const Tour& s, Narration::Values& values);
void call_values(const Tour& s, Narration::Values& values);
void dispatch_values(const Tour& s, Narration::Values& values);
void memory_values(const Tour& s, Narration::Values& values);
void compiled_values(const Tour& s, Narration::Values& values);
void order_values(const Tour& s, Narration::Values& values);
void returns_values(const Tour& s, Narration::Values& values);
void limit_values(const Tour& s, Narration::Values& values);
void warps_values(const Tour& s, Narration::Values& values);
void relu_values(const Tour& s, Narration::Values& values);
void wait_values(const Tour& s, Narration::Values& values);
void receipt_values(const Tour& s, Narration::Values& values);
std::optional<Ask> why_question(const Tour& s);
std::optional<Ask> dispatch_question(const Tour& s);
std::optional<Ask> memory_question(const Tour& s);
std::optional<Ask> compiled_question(const Tour& s);
std::optional<Ask> returns_question(const Tour& s);
std::optional<Ask> blocks_question(const Tour& s);
std::optional<Ask> placed_question(const Tour& s);
std::optional<Ask> limit_question(const Tour& s);
std::optional<Ask> receipt_question(const Tour& s);

// Chapter 4, inside an SM: its steps likewise.
PlanePicture issue_plane(const Tour& s, double phase);
PlanePicture latency_plane(const Tour& s, double phase);
PlanePicture lanes_plane(const Tour& s, double phase);
PlanePicture sectors_plane(const Tour& s, double phase);
PlanePicture shared_plane(const Tour& s, double phase);
PlanePicture sum_plane(const Tour& s, double phase);
PlanePicture edge_plane(const Tour& s, double phase);
PlanePicture store_plane(const Tour& s, double phase);
std::string latency_section(const Tour& s);
std::string lanes_section(const Tour& s);
std::string shared_section(const Tour& s);
std::string sum_section(const Tour& s);
std::string edge_section(const Tour& s);
void issue_values(const Tour& s, Narration::Values& values);
void latency_values(const Tour& s, Narration::Values& values);
void lanes_values(const Tour& s, Narration::Values& values);
void sectors_values(const Tour& s, Narration::Values& values);
void shared_values(const Tour& s, Narration::Values& values);
void sum_values(const Tour& s, Narration::Values& values);
void edge_values(const Tour& s, Narration::Values& values);
void store_values(const Tour& s, Narration::Values& values);
std::optional<Ask> issue_question(const Tour& s);
std::optional<Ask> latency_question(const Tour& s);
std::optional<Ask> lanes_question(const Tour& s);
std::optional<Ask> sectors_question(const Tour& s);
std::optional<Ask> shared_question(const Tour& s);
std::optional<Ask> edge_question(const Tour& s);

}  // namespace warpwalk::story
