// The tour: the first half hour on one plane, a table of its steps.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/tour/tour.h"

namespace warpwalk::story {
namespace {

// The way from the step before takes this part of a step's motion; the rest is the step's own.
constexpr double flight = 0.45, tour_seconds = 1.8;

Narration::Values values_of(const Tour& s) { return s.values; }

std::string_view name_of(Chapter chapter) { return base::enum_name(chapter); }

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
    TourBeat{.key = "why",
             .anchor = tour_start,
             .stop = "op",
             .motion_seconds = 3,
             .section = why_section,
             .values = why_values,
             .question = why_question,
             .more = {why_plane, Chapter::why, "boardroom", "company", "lab/why-gpus"}},
    TourBeat{.key = "call",
             .anchor = tour_start,
             .stop = "op",
             .motion_seconds = tour_seconds,
             .values = call_values,
             .more = {call_plane, Chapter::cpu, "boardroom", "call", "lab/dispatch"}},
    TourBeat{.key = "dispatch",
             .anchor = tour_start,
             .stop = "dispatch",
             .motion_seconds = 3,
             .section = dispatch_section,
             .values = dispatch_values,
             .question = dispatch_question,
             .more = {dispatch_plane, Chapter::cpu, "translator", "keys", "lab/dispatch"}},
    TourBeat{.key = "memory",
             .anchor = tour_start,
             .stop = "memory",
             .motion_seconds = 3,
             .section = memory_section,
             .values = memory_values,
             .question = memory_question,
             .more = {memory_plane, Chapter::cpu, "warehouse", "carve", "lab/allocator"}},
    TourBeat{.key = "compiled",
             .anchor = tour_launch,
             .stop = "driver",
             .motion_seconds = 3,
             .section = compiled_section,
             .values = compiled_values,
             .question = compiled_question,
             .more = {compiled_plane, Chapter::cpu, "translator", "code", "lab/ptx-sass"}},
    TourBeat{.key = "order",
             .anchor = tour_launch,
             .stop = "stream",
             .motion_seconds = 3,
             .section = order_section,
             .values = order_values,
             .more = {order_plane, Chapter::cpu, "launch", "queue", "lab/streams"}},
    TourBeat{.key = "returns",
             .anchor = tour_returned,
             .stop = "stream",
             .motion_seconds = 3,
             .section = returns_section,
             .values = returns_values,
             .question = returns_question,
             .more = {returns_plane, Chapter::cpu, "boardroom", "return", "lab/launch-anatomy"}},
    TourBeat{.key = "blocks",
             .anchor = tour_kernel,
             .stop = "front_end",
             .motion_seconds = 3,
             .question = blocks_question,
             .more = {blocks_plane, Chapter::gpu, "launch", "grid", "lab/launch-anatomy"}},
    TourBeat{.key = "placed",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "sm",
             .motion_seconds = 3,
             .section = placed_section,
             .question = placed_question,
             .more = {placed_plane, Chapter::gpu, "launch", "place", "lab/occupancy"}},
    TourBeat{.key = "limit",
             .anchor = tour_kernel,
             .stop = "sm",
             .motion_seconds = tour_seconds,
             .section = limit_section,
             .values = limit_values,
             .question = limit_question,
             .more = {limit_plane, Chapter::gpu, "sm", "limit", "lab/occupancy"}},
    TourBeat{.key = "warps",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "scheduler",
             .motion_seconds = tour_seconds,
             .values = warps_values,
             .more = {warps_plane, Chapter::gpu, "sm", "arrive", "lab/hierarchy"}},
    TourBeat{.key = "issue",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "scheduler",
             .motion_seconds = 3,
             .values = issue_values,
             .question = issue_question,
             .more = {issue_plane, Chapter::inside, "schedulers", "rule", "lab/latency-hiding"}},
    TourBeat{.key = "latency",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "scheduler",
             .motion_seconds = 3,
             .section = latency_section,
             .values = latency_values,
             .question = latency_question,
             .more = {latency_plane, Chapter::inside, "schedulers", "wait", "lab/memory-hierarchy"}},
    TourBeat{.key = "lanes",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "warp",
             .motion_seconds = tour_seconds,
             .section = lanes_section,
             .values = lanes_values,
             .question = lanes_question,
             .more = {lanes_plane, Chapter::inside, "lanes", "lanes", "lab/hierarchy"}},
    TourBeat{.key = "sectors",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "warp",
             .motion_seconds = 3,
             .values = sectors_values,
             .question = sectors_question,
             .more = {sectors_plane, Chapter::inside, "lanes", "fold", "lab/coalescing"}},
    TourBeat{.key = "shared",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "warp",
             .motion_seconds = 3,
             .section = shared_section,
             .values = shared_values,
             .question = shared_question,
             .more = {shared_plane, Chapter::inside, "lanes", "banks", "lab/tiling"}},
    TourBeat{.key = "sum",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "registers",
             .motion_seconds = 8,
             .section = sum_section,
             .values = sum_values,
             .more = {sum_plane, Chapter::inside, "lanes", "sum", "lab/ptx-sass"}},
    TourBeat{.key = "edge",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "warp",
             .motion_seconds = 3,
             .section = edge_section,
             .values = edge_values,
             .question = edge_question,
             .more = {edge_plane, Chapter::inside, "lanes", "diverge", "lab/divergence"}},
    TourBeat{.key = "store",
             .anchor = tour_kernel,
             .needs = Needs::cycles,
             .stop = "registers",
             .motion_seconds = tour_seconds,
             .values = store_values,
             .more = {store_plane, Chapter::inside, "lanes", "sum", "lab/tensors"}},
    TourBeat{.key = "relu",
             .anchor = tour_end,
             .needs = Needs::cycles,
             .stop = "stream",
             .motion_seconds = 4,
             .section = relu_section,
             .values = relu_values,
             .more = {relu_plane, Chapter::back, "lanes", "next", "lab/forward-pass"}},
    TourBeat{.key = "wait",
             .anchor = tour_end,
             .stop = "op",
             .motion_seconds = tour_seconds,
             .section = wait_section,
             .values = wait_values,
             .more = {wait_plane, Chapter::back, "boardroom", "meanwhile", "lab/streams"}},
    TourBeat{.key = "receipt",
             .anchor = tour_end,
             .stop = "op",
             .motion_seconds = tour_seconds,
             .section = receipt_section,
             .values = receipt_values,
             .question = receipt_question,
             .more = {receipt_plane, Chapter::back, "map", "total", "lab/receipts"}},
    TourBeat{.key = "whole",
             .anchor = tour_end,
             .stop = "op",
             .motion_seconds = tour_seconds,
             .more = {whole_plane, Chapter::back, "map", "fold", "lab/overview"}},
};

}  // namespace

const Contents& tour_scene() {
  static const BeatTable table("tour", frame, steps);
  return table;
}

}  // namespace warpwalk::story
