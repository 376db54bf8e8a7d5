#include <algorithm>

#include <fmt/format.h>

#include "core/story/facts/kernel_counters.h"
#include "core/story/facts/names.h"
#include "core/story/facts/rows.h"
#include "core/story/scenes/launch/parts.h"
#include "core/story/stage/fact_writer.h"

namespace warpwalk::story {
namespace {

using Gap = LaunchPlan::Gap;

/// What the facts of a beat are told from.
struct Told {
  const SceneInput& input;
  const LaunchStory& story;
  Teller& teller;
  const Narration::Values& values;
  Stage& stage;

  std::string word(std::string_view section, std::string_view key) const {
    return input.narration.text(section, key, values);
  }
};

void tell_queue(const Told& t) {
  const Trace& trace = t.input.trace;
  const Walk& walk = t.input.walk;
  const StreamQueue& queue = t.story.queue;
  t.teller.fact("stream", t.teller.recorded(stream_name(trace, trace.slices.track[walk.kernel])));
  t.teller.lasts("on_gpu", walk.kernel);
  if (queue.how == StreamQueue::How::unlaunched) {
    t.teller.lacks("launch");
    return;
  }
  t.teller.lasts_named(label_of(trace, walk.launch), walk.launch);
  if (queue.how == StreamQueue::How::untimed) {
    const trace::Track& stream = trace.tracks[trace.slices.track[walk.kernel]];
    std::size_t pieces = 0;
    for (SliceId s = stream.first; s < stream.last; ++s) pieces += trace::is_gpu_work(trace.slices.kind[s]);
    t.teller.counted("in_stream", pieces);
    return;
  }
  if (queue.how == StreamQueue::How::skewed) {
    t.teller.lacks("skew");
    return;
  }
  t.teller.counted("ahead_of_it", queue.waiting);
  if (queue.how != StreamQueue::How::early) t.teller.difference("wait", queue.queue());
  if (queue.waiting > 0) t.teller.difference("after_free", std::max<std::int64_t>(0, queue.start - queue.free));
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->queued <= 0 || kernel->submitted < kernel->queued || kernel->submitted > queue.start)
    return;
  t.teller.difference("to_submitted", kernel->submitted - kernel->queued);
  t.teller.difference("to_start", queue.start - kernel->submitted);
}

void tell_launched(const Told& t) {
  const auto told = [&](std::string_view what, const std::array<std::int32_t, 3>& shape) {
    const bool line = shape[1] == 1 && shape[2] == 1;
    t.teller.fact(what, t.teller.recorded(t.word("launch.figure", fmt::format("{}{}", what, line ? ".line" : ""))));
  };
  told("grid", t.story.plan->launched_grid);
  told("block", t.story.plan->launched_block);
}

void tell_cross(const Told& t) {
  const bool timed = t.story.queue.how != StreamQueue::How::untimed;
  if (t.story.queue.told())
    t.teller.difference("to_gpu", t.story.queue.way());
  else if (timed)
    t.teller.lacks("skew");
  const Trace& trace = t.input.trace;
  if (t.story.plan) {
    tell_launched(t);
  } else if (t.story.transfer) {
    const auto& copy = trace.transfers[trace.slices.detail[t.input.walk.kernel]];
    if (copy.bytes != trace::absent)
      t.teller.fact("bytes", t.teller.recorded(static_cast<double>(copy.bytes), Unit::bytes));
  }
  t.teller.fact("crossing", Figure::explained(t.word("launch.figure", "crossing")));
  const bool simulated = timing_of(trace, t.input.walk) == Timing::unclocked;
  t.teller.lacks(timed ? "crossing" : simulated ? "crossing_unclocked" : "crossing_untimed");
}

void tell_engine(const Told& t) {
  const Trace& trace = t.input.trace;
  const auto& copy = trace.transfers[trace.slices.detail[t.input.walk.kernel]];
  t.teller.lasts("on_gpu", t.input.walk.kernel);
  if (copy.bytes != trace::absent) {
    t.teller.fact("bytes", t.teller.recorded(static_cast<double>(copy.bytes), Unit::bytes));
    if (const auto ns = static_cast<double>(trace.slices.duration[t.input.walk.kernel]); ns > 0)
      t.teller.derived("rate", static_cast<double>(copy.bytes) / ns, Unit::gigabytes_per_second);
  }
  t.teller.fact("blocks_none", Figure::explained(t.word("launch.figure", "none")));
}

// The launch as it was, and beside it what the person made of it.
void tell_shape(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  tell_launched(t);
  if (plan.blocks != plan.launched_blocks)
    t.teller.derived("grid_set", counted_words(t.input.narration, "blocks", plan.blocks));
  if (plan.threads != plan.launched_threads) t.teller.derived("block_set", t.word("launch.figure", "block_set"));
}

void tell_gpu(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  if (plan.gpu_choice > 0) {
    if (plan.device) t.teller.derived("gpu_set", plan.device->name);
    return;
  }
  if (plan.match.how == DeviceMatch::How::adapted)
    t.teller.fact("description", Figure::explained(t.word("launch.figure", "adapted")));
}

void tell_gap(const Told& t) {
  switch (t.story.plan->gap) {
    case Gap::none:
    case Gap::failure: break;
    case Gap::device: t.teller.lacks("device"); break;
    case Gap::registers: t.teller.lacks("registers"); break;
    case Gap::size: t.teller.lacks("size"); break;
  }
}

void tell_grid(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  tell_shape(t);
  if (plan.registers >= 0)
    t.teller.fact("registers", t.teller.recorded(static_cast<double>(plan.registers), Unit::count));
  if (plan.record != nullptr && plan.record->registers_origin == "estimated") t.teller.lacks("registers_estimated");
  if (plan.shared >= 0) t.teller.fact("shared", t.teller.recorded(static_cast<double>(plan.shared), Unit::bytes));
  tell_gpu(t);
  tell_gap(t);
  if (!plan.counted()) return;
  t.teller.derived("per_sm", static_cast<double>(plan.occupancy.blocks_per_sm), Unit::count);
  t.teller.derived("limited", limiter_words(t.input.narration, plan.occupancy));
  t.teller.derived("occupancy", plan.occupancy.percent, Unit::percent);
}

void tell_place(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  tell_gap(t);
  if (plan.gpu_choice == 0 && plan.recorded_sms > 0)
    t.teller.fact("sms", t.teller.recorded(static_cast<double>(plan.recorded_sms), Unit::count));
  else if (plan.device)
    t.teller.derived("sms", static_cast<double>(*plan.device->sm_count), Unit::count);
  tell_gpu(t);
  if (plan.placeable()) {
    const auto told = [&](double value) { return Figure::recorded(value, Unit::count, plan.placement_origin); };
    t.teller.fact("sms_used", told(static_cast<double>(t.story.sms_used())));
    if (const std::uint64_t idle = t.story.sms_idle(); idle > 0)
      t.teller.fact("sms_idle", Figure::recorded(counted_words(t.input.narration, "sms", idle), plan.placement_origin));
    if (const PlacedBlock* block = t.story.followed_block(); block != nullptr)
      t.teller.fact("followed", Figure::recorded(t.input.narration.text("launch.figure", "followed",
                                                                        {{"sm", std::to_string(block->sm)},
                                                                         {"slot", std::to_string(block->slot)}}),
                                                 plan.placement_origin));
  }
  if (plan.counted()) t.teller.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  if (plan.compared > 0)
    t.teller.derived("agree", 100.0 * static_cast<double>(plan.equal) / static_cast<double>(plan.compared),
                     Unit::percent);
  if (plan.placeable() && !plan.recorded && (plan.record == nullptr || plan.record->placement.empty()))
    t.teller.lacks("placement");
}

void tell_waves(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  tell_gap(t);
  t.teller.lasts("on_gpu", t.input.walk.kernel);
  counted_facts(t.input, CountedGroup::instructions, t.stage);
  if (const std::optional<Figure> each = instructions_a_block(t.input)) t.teller.fact("each_block", *each);
  if (!plan.counted()) return;
  t.teller.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  t.teller.derived("waves", static_cast<double>(plan.waves.waves()), Unit::count);
  if (plan.waves.tail_blocks > 0)
    t.teller.derived("tail_blocks", static_cast<double>(plan.waves.tail_blocks), Unit::count);
  if (plan.recorded || !plan.time) return;
  t.teller.fact("block_time", Figure::recorded(plan.time->block_ns, Unit::nanoseconds, Origin::simulated));
  if (plan.what_if)
    t.teller.fact("what_if_time", Figure::recorded(plan.time->total_ns, Unit::nanoseconds, Origin::simulated));
}

void tell_tail(const Told& t) {
  const LaunchPlan& plan = *t.story.plan;
  tell_gap(t);
  if (!plan.counted()) return;
  const std::uint64_t last = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  t.teller.derived("last_wave", static_cast<double>(last), Unit::count);
  t.teller.derived("last_share", 100.0 * static_cast<double>(last) / static_cast<double>(plan.slots()), Unit::percent);
  t.teller.derived("efficiency", 100 * plan.waves.tail_efficiency, Unit::percent);
  t.teller.derived("next_full", static_cast<double>(plan.waves.waves() * plan.slots()), Unit::count);
  if (!plan.time_model || !plan.match.device) return;
  // How close the recorded launch came to the GPU's peak: the scaled times keep below it.
  const std::optional<double> operations = plan.time_model->work().fp32_operations,
                              peak = fp32_peak(*plan.match.device);
  if (operations && peak)
    t.teller.derived("of_peak", 100 * *operations / (*peak * plan.time_model->recorded().total_ns), Unit::percent);
}

}  // namespace

void launch_facts(const SceneInput& input, const LaunchStory& story, std::string_view beat,
                  const Narration::Values& values, Stage& stage) {
  Teller teller(input, values, stage);
  const Told told{input, story, teller, values, stage};
  if (beat == "empty") teller.lacks("anything");
  if (beat == "nothing") {
    teller.lasts("on_cpu", input.walk.op);
    teller.lacks(input.trace.launched.empty() ? "any_gpu_work" : "gpu_work");
  }
  if (beat == "queue") tell_queue(told);
  if (beat == "cross") tell_cross(told);
  if (beat == "engine") tell_engine(told);
  if (beat == "gridless") {
    teller.lasts("on_gpu", input.walk.kernel);
    teller.lacks("grid");
  }
  if (beat == "grid") tell_grid(told);
  if (beat == "place") tell_place(told);
  if (beat == "waves") tell_waves(told);
  if (beat == "tail") tell_tail(told);
  if (beat == "queue" || beat == "engine" || beat == "gridless" || beat == "waves") teller.lacks_times(input.walk);
}

}  // namespace warpwalk::story
