// The tour: the first half hour on one plane, a table of its steps.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "core/story/scenes/scenes.h"
#include "core/story/scenes/tour/tour.h"

namespace warpwalk::story {
namespace {

// The way from the step before takes this part of a step's motion; the rest is the step's own.
constexpr double flight = 0.45, tour_seconds = 1.8;

Narration::Values values_of(const Tour& s) { return s.values; }

std::string_view name_of(Chapter chapter) {
  switch (chapter) {
    case Chapter::why: return "why";
    case Chapter::cpu: return "cpu";
    case Chapter::gpu: return "gpu";
    case Chapter::inside: return "inside";
    case Chapter::back: return "back";
  }
  return "";
}

PlanePicture picture_at(const Tour& s, const TourBeat& step, double phase) {
  const TourBeat* const before = s.here.before<TourBeat>();
  if (before == nullptr) return step.more.plane(s, phase);
  if (phase >= flight) return step.more.plane(s, (phase - flight) / (1 - flight));
  return between(before->more.plane(s, 1), step.more.plane(s, 0), phase / flight);
}

void complete(Tour& s, const Narration::Values&, Stage& stage) {
  const TourBeat& step = *s.here.shown<TourBeat>();
  stage.picture = std::make_shared<const PlanePicture>(picture_at(s, step, s.input.moment.phase));
  stage.place = s.input.narration.text("tour", "place",
                                       {{"step", fmt::to_string(stage.beat)}, {"steps", fmt::to_string(stage.beats)}});
  StepPlace& place = stage.step.emplace();
  place.chapter = s.input.narration.text("tour.chapter", name_of(step.more.chapter));
  if (!step.more.deeper_scene.empty())
    place.deeper = {std::string(step.more.deeper_scene), std::string(step.more.deeper_beat), {}, {}};
  if (!step.more.lab.empty()) place.lab.scene = step.more.lab;
}

constexpr Frame<Tour, TourStep> frame = {.subject = tour_subject, .values = values_of, .complete = complete};

constexpr std::array steps = {
    TourBeat{.key = "line",
             .anchor = tour_start,
             .stop = "op",
             .motion_seconds = tour_seconds,
             .more = {line_plane, Chapter::why, "boardroom", "line", "lab/tensors"}},
    TourBeat{.key = "blocks",
             .anchor = tour_kernel,
             .stop = "grid",
             .motion_seconds = tour_seconds,
             .more = {blocks_plane, Chapter::gpu, "launch", "grid", "lab/launch-anatomy"}},
    TourBeat{.key = "placed",
             .anchor = tour_kernel,
             .stop = "sm",
             .motion_seconds = tour_seconds,
             .more = {placed_plane, Chapter::gpu, "launch", "place", "lab/occupancy"}},
};

}  // namespace

const Contents& tour_scene() {
  static const BeatTable table("tour", frame, steps);
  return table;
}

}  // namespace warpwalk::story
