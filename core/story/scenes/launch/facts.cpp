#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {
namespace {

using Gap = LaunchPlan::Gap;

/// The data from which the facts of a beat are written.
struct BeatFacts {
  const SceneInput& input;
  const LaunchSubject& subject;
  FactWriter& facts;
  const Narration::Values& values;
  Stage& stage;

  std::string word(std::string_view section, std::string_view key) const {
    return input.narration.text(section, key, values);
  }
};

void add_queue(const BeatFacts& t) {
  const Trace& trace = t.input.trace;
  const Walk& walk = t.input.walk;
  const StreamQueue& queue = t.subject.queue;
  t.facts.fact("stream", t.facts.recorded(analysis::stream_name(trace, trace.slices.track[walk.kernel])));
  t.facts.duration("on_gpu", walk.kernel);
  if (queue.how == StreamQueue::How::unlaunched) {
    t.facts.missing("launch");
    return;
  }
  t.facts.duration_named(analysis::label_of(trace, walk.launch), walk.launch);
  if (queue.how == StreamQueue::How::untimed) {
    const trace::Track& stream = trace.tracks[trace.slices.track[walk.kernel]];
    std::size_t pieces = 0;
    for (SliceId s = stream.first; s < stream.last; ++s) pieces += trace::is_gpu_work(trace.slices.kind[s]);
    t.facts.counted("in_stream", pieces);
    return;
  }
  if (queue.how == StreamQueue::How::skewed) {
    t.facts.missing("skew");
    return;
  }
  t.facts.counted("ahead_of_it", queue.ahead.count);
  if (queue.how != StreamQueue::How::early) t.facts.difference("wait", queue.queue());
  if (queue.ahead.count > 1) t.facts.difference("longest_ahead", queue.ahead.longest_time);
  if (queue.ahead.count > 0) t.facts.difference("after_free", std::max<std::int64_t>(0, queue.start - queue.free));
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->queued <= 0 || kernel->submitted < kernel->queued || kernel->submitted > queue.start)
    return;
  t.facts.difference("to_submitted", kernel->submitted - kernel->queued);
  t.facts.difference("to_start", queue.start - kernel->submitted);
}

void add_launched(const BeatFacts& t) {
  const auto add_shape = [&](std::string_view what, const std::array<std::int32_t, 3>& shape) {
    const bool line = shape[1] == 1 && shape[2] == 1;
    t.facts.fact(what, t.facts.recorded(t.word("launch.figure", fmt::format("{}{}", what, line ? ".line" : ""))));
  };
  add_shape("grid", t.subject.plan->launched_grid);
  add_shape("block", t.subject.plan->launched_block);
}

void add_cross(const BeatFacts& t) {
  const bool timed = t.subject.queue.how != StreamQueue::How::untimed;
  if (t.subject.queue.timed())
    t.facts.difference("to_gpu", t.subject.queue.way());
  else if (timed)
    t.facts.missing("skew");
  const Trace& trace = t.input.trace;
  if (t.subject.plan) {
    add_launched(t);
  } else if (t.subject.transfer) {
    const auto& copy = trace.transfers[trace.slices.detail[t.input.walk.kernel]];
    if (copy.bytes != trace::absent)
      t.facts.fact("bytes", t.facts.recorded(static_cast<double>(copy.bytes), Unit::bytes));
  }
  t.facts.fact("crossing", Figure::explained(t.word("launch.figure", "crossing")));
  const bool simulated = time_record_of(trace, t.input.walk) == TimeRecord::unclocked;
  t.facts.missing(timed ? "crossing" : simulated ? "crossing_unclocked" : "crossing_untimed");
}

void add_engine(const BeatFacts& t) {
  const Trace& trace = t.input.trace;
  const auto& copy = trace.transfers[trace.slices.detail[t.input.walk.kernel]];
  t.facts.duration("on_gpu", t.input.walk.kernel);
  if (copy.bytes != trace::absent) {
    t.facts.fact("bytes", t.facts.recorded(static_cast<double>(copy.bytes), Unit::bytes));
    if (const auto ns = static_cast<double>(trace.slices.duration[t.input.walk.kernel]); ns > 0)
      t.facts.derived("rate", static_cast<double>(copy.bytes) / ns, Unit::gigabytes_per_second);
  }
  t.facts.fact("blocks_none", Figure::explained(t.word("launch.figure", "none")));
}

// The launch as recorded, and the values that the controls set.
void add_shape(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  add_launched(t);
  if (plan.blocks != plan.launched_blocks)
    t.facts.derived("grid_set", counted_words(t.input.narration, "blocks", plan.blocks));
  if (plan.threads != plan.launched_threads) t.facts.derived("block_set", t.word("launch.figure", "block_set"));
}

void add_gpu(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  if (plan.gpu_choice > 0) {
    if (plan.device) t.facts.derived("gpu_set", plan.device->name);
    return;
  }
  if (plan.match.how == analysis::DeviceMatch::How::adapted)
    t.facts.fact("description", Figure::explained(t.word("launch.figure", "adapted")));
}

void add_gap(const BeatFacts& t) {
  switch (t.subject.plan->gap) {
    case Gap::none:
    case Gap::failure: break;
    case Gap::device: t.facts.missing("device"); break;
    case Gap::registers: t.facts.missing("registers"); break;
    case Gap::size: t.facts.missing("size"); break;
  }
}

void add_grid(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  add_shape(t);
  if (plan.registers >= 0)
    t.facts.fact("registers", t.facts.recorded(static_cast<double>(plan.registers), Unit::count));
  if (plan.record != nullptr && plan.record->registers_origin == "estimated") t.facts.missing("registers_estimated");
  if (plan.shared >= 0) t.facts.fact("shared", t.facts.recorded(shared_bytes_text(plan.shared)));
  add_gpu(t);
  add_gap(t);
  if (!plan.counted()) return;
  t.facts.derived("per_sm",
                  counted_words(t.input.narration, "blocks", static_cast<std::uint64_t>(plan.occupancy.blocks_per_sm)));
  t.facts.derived("limited", limiter_words(t.input.narration, plan.occupancy));
  t.facts.derived("occupancy", plan.occupancy.percent, Unit::percent);
}

void add_place(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  add_gap(t);
  if (plan.gpu_choice == 0 && plan.recorded_sms > 0)
    t.facts.fact("sms", t.facts.recorded(static_cast<double>(plan.recorded_sms), Unit::count));
  else if (plan.device)
    t.facts.derived("sms", static_cast<double>(*plan.device->sm_count), Unit::count);
  add_gpu(t);
  if (plan.placeable()) {
    const auto recorded = [&](double value) { return Figure::recorded(value, Unit::count, plan.placement_origin); };
    t.facts.fact("sms_used", recorded(static_cast<double>(t.subject.sms_used())));
    if (const std::uint64_t idle = t.subject.sms_idle(); idle > 0)
      t.facts.fact("sms_idle", Figure::recorded(counted_words(t.input.narration, "sms", idle), plan.placement_origin));
    if (const PlacedBlock* block = t.subject.followed_block(); block != nullptr) {
      // A record has the SM of a block, but not its slot.
      const auto followed =
          t.input.narration.text("launch.figure", plan.recorded ? "followed_sm" : "followed",
                                 {{"sm", std::to_string(block->sm)}, {"slot", std::to_string(block->slot)}});
      t.facts.fact("followed", Figure::recorded(followed, plan.placement_origin));
      if (plan.recorded) t.facts.derived("followed_slot", std::to_string(block->slot));
    }
  }
  if (plan.counted()) t.facts.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  if (plan.compared > 0)
    t.facts.derived("agree", 100.0 * static_cast<double>(plan.equal) / static_cast<double>(plan.compared),
                    Unit::percent);
  if (plan.placeable() && !plan.recorded && (plan.record == nullptr || plan.record->placement.empty()))
    t.facts.missing("placement");
}

void add_waves(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  add_gap(t);
  t.facts.duration("on_gpu", t.input.walk.kernel);
  counted_facts(t.input, CountedGroup::instructions, t.stage);
  if (const std::optional<Figure> each = instructions_a_block(t.input)) t.facts.fact("each_block", *each);
  if (!plan.counted()) return;
  t.facts.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  t.facts.derived("waves", static_cast<double>(plan.waves.waves()), Unit::count);
  if (plan.waves.tail_blocks > 0)
    t.facts.derived("tail_blocks", static_cast<double>(plan.waves.tail_blocks), Unit::count);
  if (plan.recorded || !plan.time) return;
  t.facts.fact("block_time", Figure::recorded(plan.time->block_ns, Unit::nanoseconds, Origin::simulated));
  if (plan.what_if)
    t.facts.fact("what_if_time", Figure::recorded(plan.time->total_ns, Unit::nanoseconds, Origin::simulated));
}

void add_tail(const BeatFacts& t) {
  const LaunchPlan& plan = *t.subject.plan;
  add_gap(t);
  if (!plan.counted()) return;
  const std::uint64_t last = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  t.facts.derived("last_wave", static_cast<double>(last), Unit::count);
  t.facts.derived("last_share", 100.0 * static_cast<double>(last) / static_cast<double>(plan.slots()), Unit::percent);
  t.facts.derived("efficiency", 100 * plan.waves.tail_efficiency, Unit::percent);
  t.facts.derived("next_full", static_cast<double>(plan.waves.waves() * plan.slots()), Unit::count);
  if (!plan.time_model || !plan.match.device) return;
  // How close the recorded launch came to the GPU's peak: the scaled times keep below it.
  const std::optional<double> operations = plan.time_model->work().fp32_operations,
                              peak = fp32_peak(*plan.match.device);
  if (operations && peak)
    t.facts.derived("of_peak", 100 * *operations / (*peak * plan.time_model->recorded().total_ns), Unit::percent);
}

}  // namespace

void launch_facts(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                  const Narration::Values& values, Stage& stage) {
  FactWriter facts(input, values, stage);
  const BeatFacts parts{input, subject, facts, values, stage};
  if (beat == "empty") facts.missing("anything");
  if (beat == "nothing") {
    facts.duration("on_cpu", input.walk.op);
    facts.missing(input.trace.launched.empty() ? "any_gpu_work" : "gpu_work");
  }
  if (beat == "queue") add_queue(parts);
  if (beat == "cross") add_cross(parts);
  if (beat == "engine") add_engine(parts);
  if (beat == "gridless") {
    facts.duration("on_gpu", input.walk.kernel);
    facts.missing("grid");
  }
  if (beat == "grid") add_grid(parts);
  if (beat == "place") add_place(parts);
  if (beat == "waves") add_waves(parts);
  if (beat == "tail") add_tail(parts);
  if (beat == "queue" || beat == "engine" || beat == "gridless" || beat == "waves") facts.missing_times(input.walk);
}

}  // namespace warpwalk::story
