// Scene 4: the launch waits in its stream, crosses to the GPU, and its grid is handed out to the SMs in waves.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/elements/walk.h"
#include "core/story/scenes/launch/launch.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;
using Gap = LaunchPlan::Gap;

std::string queue_section(const LaunchSubject& s) {
  using How = StreamQueue::How;
  switch (s.queue.how) {
    case How::unlaunched: return "queue.unlaunched";
    case How::untimed:
      return time_record_of(s.trace(), s.walk()) == TimeRecord::unclocked ? "queue.unclocked" : "queue.unrecorded";
    case How::skewed: return "queue.skew";
    case How::early: return "queue.early";
    case How::alone: return "queue";
    case How::unexplained: return "queue.unexplained";
    case How::behind: return s.queue.ahead.count > 1 ? "queue.many" : "queue.behind";
  }
  return "queue";
}

std::string engine_section(const LaunchSubject& s) {
  return s.trace().slices.kind[s.walk().kernel] == SliceKind::memset ? "engine.fill" : "engine";
}

// A launch that cannot run has the same text in every beat about its blocks.
std::string grid_section(const LaunchSubject& s) {
  if (s.plan->gap == Gap::failure) return "failure";
  return s.plan->counted() ? "grid" : "grid.unknown";
}

std::string place_section(const LaunchSubject& s) {
  const LaunchPlan& plan = *s.plan;
  if (plan.gap == Gap::failure) return "failure";
  if (plan.recorded && plan.placeable())
    return plan.placement_origin == Origin::measured ? "place.recorded" : "place.replayed";
  if (!plan.counted()) return "place.unknown";
  if (plan.blocks > plan.slots()) return "place";
  if (plan.blocks == plan.slots()) return "place.exact";
  return s.sms_idle() > 0 ? "place.idle" : "place.room";
}

bool slots_reused(const LaunchSubject& s) { return s.plan->waves.waves() == 1 && s.reused() > 0; }

std::string waves_section(const LaunchSubject& s) {
  const LaunchPlan& plan = *s.plan;
  if (plan.gap == Gap::failure) return "failure";
  if (!plan.counted()) return "waves.unknown";
  if (slots_reused(s)) return "waves.recorded";
  const bool exact = plan.waves.tail_blocks == 0;
  if (plan.waves.waves() > 1) return exact ? "waves.exact" : "waves";
  return exact ? "waves.full" : "waves.one";
}

std::string tail_section(const LaunchSubject& s) {
  const LaunchPlan& plan = *s.plan;
  if (plan.gap == Gap::failure) return "failure";
  if (!plan.counted()) return "tail.unknown";
  if (slots_reused(s)) return "tail.recorded";
  if (plan.time && plan.time->last_block_ns < plan.time->block_ns) return "tail.shared";
  const bool exact = plan.waves.tail_blocks == 0;
  if (plan.waves.waves() > 1) return exact ? "tail.exact" : "tail";
  return exact ? "tail.full" : "tail.one";
}

void add_controls(const LaunchSubject& subject, Stage& stage) {
  const SceneInput& input = subject.input;
  const LaunchPlan& plan = *subject.plan;
  const auto word = [&](std::string_view key) { return input.narration.text("launch.control", key); };
  const auto add = [&](Control control, std::string_view name) {
    control.name = name;
    control.label = word(name);
    control.set = input.set("launch", name).has_value();
    control.source = word("launched");
    stage.controls.push_back(std::move(control));
  };
  Control grid;
  grid.value = static_cast<double>(plan.blocks);
  constexpr double usual_most = 16896;  // four waves of 132 SMs with 32 blocks each
  grid.steps = with_step(steps_growing(1, std::max(usual_most, static_cast<double>(plan.launched_blocks))),
                         static_cast<double>(plan.launched_blocks));
  grid.shown = whole_text(plan.blocks);
  add(std::move(grid), "grid");
  Control block;
  block.value = static_cast<double>(plan.threads);
  block.steps = with_step(steps_by(32, 1024, 32), static_cast<double>(plan.launched_threads));
  block.shown = whole_text(static_cast<std::uint64_t>(plan.threads));
  add(std::move(block), "block");
  Control gpu;
  gpu.kind = Control::Kind::choice;
  gpu.words = {word("recorded")};
  for (const std::string_view id : chosen_gpus) {
    const gpu::Device* device = input.hardware.find(id);
    gpu.words.push_back(device != nullptr ? std::to_string(*device->sm_count) : std::string(id));
  }
  gpu.value = static_cast<double>(plan.gpu_choice);
  gpu.shown = gpu.words[plan.gpu_choice];
  add(std::move(gpu), "gpu");
  if (plan.record != nullptr && !plan.record->placement.empty() && !plan.what_if) {
    Control placement;
    placement.kind = Control::Kind::choice;
    placement.words = {word("recorded"), word("simulated")};
    placement.value = plan.recorded ? 0 : 1;
    placement.shown = placement.words[plan.recorded ? 0 : 1];
    add(std::move(placement), "placement");
  }
  Control follow;
  follow.kind = Control::Kind::hidden;
  follow.value = static_cast<double>(subject.followed);
  follow.shown = whole_text(subject.followed);
  add(std::move(follow), "follow");
}

void complete_launch(LaunchSubject& s, const Narration::Values&, Stage& stage) {
  // The route names the SM if the placement was recorded.
  if (const PlacedBlock* block = s.followed_block();
      block != nullptr && s.plan->recorded && s.plan->placement_origin == Origin::measured)
    std::ranges::find(stage.route, "sm", &Stop::key)->value =
        s.input.narration.text("stop.sm", "value.one", {{"n", std::to_string(block->sm)}});
  if (s.plan) add_controls(s, stage);
}

Narration::Values launch_values(const LaunchSubject& s) { return s.values; }

// Without GPU work.
constexpr Frame<LaunchSubject> unlaunched = {.subject =
                                                 [](const Here& here) {
                                                   return LaunchSubject{here.input, common_values(here.input)};
                                                 },
                                             .stop = "stream",
                                             .values = launch_values};
constexpr Frame<LaunchSubject, Placed> launched = {
    .subject = [](const Here& here) { return launch_subject(here.input, here.shown<LaunchBeat>()->more); },
    .stop = "front_end",
    .values = launch_values,
    .complete = complete_launch};

template <LaunchPicture (*picture)(const LaunchSubject& s, double phase)>
void shown(const LaunchSubject& s, Stage& stage) {
  stage.picture = std::make_shared<const LaunchPicture>(picture(s, s.input.moment.phase));
}

std::optional<std::int64_t> launch_nothing_anchor(const WalkTimes& t) {
  if (t.walk.empty() || t.walk.kernel != no_slice) return {};
  return t.end(t.walk.op);
}

std::optional<std::int64_t> queue_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice) return {};
  return t.start(t.walk.launch == no_slice ? t.walk.kernel : t.walk.launch);
}

std::optional<std::int64_t> cross_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice || t.walk.launch == no_slice) return {};
  return std::min(t.start(t.walk.kernel), t.end(t.walk.launch));
}

std::optional<std::int64_t> engine_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice || kernel_detail(t.trace, t.walk) != nullptr) return {};
  return t.start(t.walk.kernel);
}

std::optional<std::int64_t> gridless_anchor(const WalkTimes& t) {
  if (kernel_detail(t.trace, t.walk) == nullptr || launches_blocks(t.trace, t.walk)) return {};
  return t.start(t.walk.kernel);
}

// So many quarters of the kernel's time after its start.
template <int quarters>
std::optional<std::int64_t> grid_anchor(const WalkTimes& t) {
  if (!launches_blocks(t.trace, t.walk)) return {};
  return t.start(t.walk.kernel) + t.trace.slices.duration[t.walk.kernel] * quarters / 4;
}

constexpr BeatOf<LaunchSubject> launch_empty_beat = {
    .key = "empty", .anchor = empty_anchor, .facts = [](const LaunchSubject&, FactWriter& facts) {
      facts.missing("anything");
    }};
constexpr BeatOf<LaunchSubject> launch_nothing_beat = {
    .key = "nothing", .anchor = launch_nothing_anchor, .facts = nothing_facts};
constexpr LaunchBeat queue_beat = {.key = "queue",
                                   .anchor = queue_anchor,
                                   .stop = "stream",
                                   .section = queue_section,
                                   .facts = queue_facts,
                                   .picture = shown<queue_picture>};
constexpr LaunchBeat cross_beat = {
    .key = "cross", .anchor = cross_anchor, .motion_seconds = 3, .facts = cross_facts, .picture = shown<cross_picture>};
constexpr LaunchBeat engine_beat = {.key = "engine",
                                    .anchor = engine_anchor,
                                    .section = engine_section,
                                    .facts = engine_facts,
                                    .picture = shown<engine_picture>};
constexpr LaunchBeat gridless_beat = {
    .key = "gridless", .anchor = gridless_anchor, .facts = gridless_facts, .picture = shown<gridless_picture>};
constexpr LaunchBeat grid_beat = {.key = "grid",
                                  .anchor = grid_anchor<0>,
                                  .first_route = true,
                                  .section = grid_section,
                                  .facts = grid_facts,
                                  .picture = shown<grid_picture>,
                                  .more = Placed::first_wave};
// Many blocks move to their SMs, and then over time.
constexpr LaunchBeat place_beat = {.key = "place",
                                   .anchor = grid_anchor<1>,
                                   .first_route = true,
                                   .stop = "sm",
                                   .motion_seconds = 4,
                                   .section = place_section,
                                   .facts = place_facts,
                                   .picture = shown<place_picture>,
                                   .question = place_question,
                                   .more = Placed::first_wave};
constexpr LaunchBeat waves_beat = {.key = "waves",
                                   .anchor = grid_anchor<2>,
                                   .first_route = true,
                                   .stop = "sm",
                                   .motion_seconds = 4,
                                   .section = waves_section,
                                   .facts = waves_facts,
                                   .picture = shown<waves_picture>,
                                   .more = Placed::several_waves};
constexpr LaunchBeat tail_beat = {.key = "tail",
                                  .anchor = grid_anchor<4>,
                                  .stop = "sm",
                                  .section = tail_section,
                                  .facts = tail_facts,
                                  .picture = shown<tail_picture>,
                                  .more = Placed::several_waves};

}  // namespace

const Contents& launch_scene() {
  static const BeatTable table(
      "launch",
      {framed(unlaunched, launch_empty_beat), framed(unlaunched, launch_nothing_beat), framed(launched, queue_beat),
       framed(launched, cross_beat), framed(launched, engine_beat), framed(launched, gridless_beat),
       framed(launched, grid_beat), tile_beat(), framed(launched, place_beat), framed(launched, waves_beat),
       framed(launched, tail_beat), simulated_blocks_beat()});
  return table;
}

}  // namespace warpwalk::story
