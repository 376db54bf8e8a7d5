// Scene 4: the launch waits in its stream, crosses to the GPU, and its grid is handed out to the SMs in waves.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/rows.h"
#include "core/story/records/hardware.h"
#include "core/story/scenes/launch/launch.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;
using Gap = LaunchPlan::Gap;

std::string percent(double share) { return Figure::derived(100 * share, Unit::percent, "-").text(); }

std::string queue_variant(const SceneInput& input, const StreamQueue& queue) {
  using How = StreamQueue::How;
  switch (queue.how) {
    case How::unlaunched: return "unlaunched";
    case How::untimed:
      return time_record_of(input.trace, input.walk) == TimeRecord::unclocked ? "unclocked" : "unrecorded";
    case How::skewed: return "skew";
    case How::early: return "early";
    case How::alone: return "";
    case How::unexplained: return "unexplained";
    case How::behind: return queue.ahead.count > 1 ? "many" : "behind";
  }
  return "";
}

std::string place_variant(const LaunchSubject& subject) {
  const LaunchPlan& plan = *subject.plan;
  if (plan.recorded && plan.placeable()) return plan.placement_origin == Origin::measured ? "recorded" : "replayed";
  if (plan.blocks > plan.slots()) return "";
  if (plan.blocks == plan.slots()) return "exact";
  return subject.sms_idle() > 0 ? "idle" : "room";
}

// The section of the narration that is true here. It is the whole key, because a failure has the same text in every
// beat.
std::string section_of(const SceneInput& input, const LaunchSubject& subject, const std::string& beat) {
  const auto with = [&](const std::string& variant) { return variant.empty() ? beat : beat + "." + variant; };
  if (beat == "queue") return with(queue_variant(input, subject.queue));
  if (beat == "engine") return with(input.trace.slices.kind[input.walk.kernel] == SliceKind::memset ? "fill" : "");
  if (!subject.plan || beat == "cross") return beat;
  const LaunchPlan& plan = *subject.plan;
  if (plan.gap == Gap::failure) return "failure";
  if (beat == "place" && plan.recorded && plan.placeable()) return with(place_variant(subject));
  if (!plan.counted()) return with("unknown");
  if (beat == "place") return with(place_variant(subject));
  if (beat == "waves" || beat == "tail") {
    if (plan.waves.waves() == 1 && subject.reused() > 0) return with("recorded");
    if (beat == "tail" && plan.time && plan.time->last_block_ns < plan.time->block_ns) return with("shared");
    const std::string exact = plan.waves.tail_blocks == 0 ? "exact" : "";
    if (plan.waves.waves() > 1) return with(exact);
    return with(exact.empty() ? "one" : "full");
  }
  return beat;
}

void put_plan(const SceneInput& input, const LaunchSubject& subject, Narration::Values& values) {
  const LaunchPlan& plan = *subject.plan;
  const Narration& n = input.narration;
  values["grid"] = analysis::shape_text(plan.grid);
  values["block"] = analysis::shape_text(plan.block);
  values["launched_grid"] = analysis::shape_text(plan.launched_grid);
  values["launched_block"] = analysis::shape_text(plan.launched_block);
  values["blocks"] = counted_words(n, "blocks", plan.blocks);
  values["launched_blocks"] = counted_words(n, "blocks", plan.launched_blocks);
  values["threads"] = counted(input, "thread", plan.threads);
  values["launched_threads"] = counted(input, "thread", plan.launched_threads);
  values["gpu"] = plan.device ? plan.device->name : plan.match.recorded;
  values["failure"] = plan.occupancy.failure;
  values["follow"] = whole_text(subject.followed);
  values["used"] = counted_words(n, "sms", subject.sms_used());
  values["placed"] = counted_words(n, "blocks", plan.placed.size());
  values["reused"] = counted_words(n, "blocks", subject.reused());
  if (plan.device) {
    const auto sms = static_cast<std::uint64_t>(*plan.device->sm_count);
    values["sms"] = counted_words(n, "sms", sms);
    values["idle"] = counted_words(n, "sms", subject.sms_idle());
    values["capability"] = *plan.device->compute_capability;
  }
  if (plan.time) {
    values["block_time"] = time_text(plan.time->block_ns);
    values["residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.time->residents));
    values["last_block_time"] = time_text(plan.time->last_block_ns);
    values["last_residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.time->last_residents));
  }
  if (plan.time_model) {
    const ScaledTime& recorded = plan.time_model->recorded();
    values["recorded_block_time"] = time_text(recorded.block_ns);
    values["recorded_residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(recorded.residents));
  }
  if (!plan.counted()) return;
  values["per_sm"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.occupancy.blocks_per_sm));
  values["limiter"] = limiter_words(n, plan.occupancy);
  std::string limits;
  for (std::size_t l = 0; l < gpu::limiter_count; ++l) {
    const auto limiter = static_cast<gpu::Limiter>(l);
    if (const gpu::Occupancy::Limit& limit = plan.occupancy.limit(limiter))
      limits +=
          fmt::format("{}{} {}", limits.empty() ? "" : ", ", n.text("launch.limiter", gpu::name_of(limiter)), *limit);
  }
  values["limits"] = limits;
  values["slots"] = whole_text(plan.slots());
  values["waves"] = whole_text(plan.waves.waves());
  values["full"] = whole_text(plan.waves.full_waves);
  const std::uint64_t tail = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  values["tail"] = counted_words(n, "blocks", tail);
  values["free"] = whole_text(plan.slots() - tail);
  values["waiting"] = counted_words(n, "blocks", plan.blocks - std::min(plan.blocks, plan.slots()));
  values["share"] = percent(static_cast<double>(tail) / static_cast<double>(plan.slots()));
  values["efficiency"] = percent(plan.waves.tail_efficiency);
}

Narration::Values values_of(const SceneInput& input, const LaunchSubject& subject) {
  Narration::Values values = common_values(input);
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  const StreamQueue& queue = subject.queue;
  put_time("queue", queue.queue());
  put_time("way", queue.way());
  put_time("early", queue.launch_end - queue.start);
  put_time("skew", queue.launch_start - queue.start);
  values["waiting_pieces"] = with_thousands(static_cast<std::int64_t>(queue.ahead.count));
  add_work_ahead(input.trace, queue.ahead, values);
  if (subject.plan) put_plan(input, subject, values);
  return values;
}

void add_controls(const SceneInput& input, const LaunchSubject& subject, Stage& stage) {
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

}  // namespace

std::vector<Beat> launch_beats(const Trace& trace, const Walk& walk) {
  const auto& rows = trace.slices;
  if (walk.empty()) return {{"empty", 0}};
  if (walk.kernel == no_slice) return {{"nothing", analysis::since_start(trace, rows.end(walk.op))}};
  const std::int64_t start = analysis::since_start(trace, rows.start[walk.kernel]), length = rows.duration[walk.kernel];
  std::vector<Beat> beats;
  if (walk.launch == no_slice) {
    beats.push_back({"queue", start});
  } else {
    beats.push_back({"queue", analysis::since_start(trace, rows.start[walk.launch])});
    beats.push_back({"cross", std::min(start, analysis::since_start(trace, rows.end(walk.launch)))});
  }
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr) {
    beats.push_back({"engine", start});
  } else if (!analysis::blocks_of(kernel->grid) || !analysis::blocks_of(kernel->block)) {
    beats.push_back({"gridless", start});
  } else {
    beats.push_back({"grid", start});
    if (matrix_product(trace, walk)) beats.push_back({"tile", start});
    beats.push_back({"place", start + length / 4});
    beats.push_back({"waves", start + length / 2});
    beats.push_back({"tail", start + length});
    beats.push_back({"blocks", std::max(start + length, analysis::since_start(trace, trace.end_ns)), true});
  }
  return in_order(std::move(beats));
}

Stage launch(const SceneInput& input) {
  const std::vector<Beat> beats = launch_beats(input.trace, input.walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string beat = beats[index].key;
  std::vector<Beat> named = beats;
  if (input.walk.kernel == no_slice) {
    const Narration::Values values = common_values(input);
    Stage stage = common_stage(input, "launch", named, values, "stream");
    launch_facts(input, {}, beat, values, stage);
    return stage;
  }
  const LaunchSubject subject = launch_subject(input, beat == "blocks" ? "tail" : beat);
  const Narration::Values values = values_of(input, subject);
  if (beat == "blocks") return simulated_blocks_stage(input, std::move(named), subject, values);
  if (beat == "tile") return tile_stage(input, std::move(named), subject, values);
  named[index].key = section_of(input, subject, beat);
  Stage stage = common_stage(input, "launch", named, values,
                             beat == "queue"                                        ? "stream"
                             : beat == "place" || beat == "waves" || beat == "tail" ? "sm"
                                                                                    : "front_end");
  // The route names the SM if the placement was recorded.
  if (const PlacedBlock* block = subject.followed_block();
      block != nullptr && subject.plan->recorded && subject.plan->placement_origin == Origin::measured)
    for (Stop& stop : stage.route)
      if (stop.key == "sm")
        stop.value = input.narration.text("stop.sm", "value.one", {{"n", std::to_string(block->sm)}});
  // Many blocks move to their SMs, and then over time.
  stage.motion_seconds = beat == "place" || beat == "waves" ? 4 : beat == "cross" ? 3 : usual_motion_seconds;
  launch_facts(input, subject, beat, values, stage);
  if (subject.plan) add_controls(input, subject, stage);
  stage.picture = std::make_shared<const LaunchPicture>(launch_picture(input, subject, beat, values));
  if (beat == "place")
    if (const auto asked = place_question(input, subject, values)) ask(input, values, *asked, stage);
  return stage;
}

std::optional<std::int64_t> launch_stop(const SceneInput& input, bool forward) {
  const std::vector<Beat> beats = launch_beats(input.trace, input.walk);
  const Beat& beat = beats[static_cast<std::size_t>(input.moment.value - 1)];
  return beat.history ? simulated_blocks_stop(input, forward) : std::nullopt;
}

}  // namespace warpwalk::story
