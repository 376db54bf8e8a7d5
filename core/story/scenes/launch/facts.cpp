#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {
namespace {

using Gap = LaunchPlan::Gap;

void add_launched(const LaunchSubject& s, FactWriter& facts) {
  const auto add_shape = [&](std::string_view what, const std::array<std::int32_t, 3>& shape) {
    const bool line = shape[1] == 1 && shape[2] == 1;
    facts.fact(what, facts.recorded(s.word("launch.figure", fmt::format("{}{}", what, line ? ".line" : ""))));
  };
  add_shape("grid", s.plan->launched_grid);
  add_shape("block", s.plan->launched_block);
}

// The launch as recorded, and the values that the controls set.
void add_shape(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  add_launched(s, facts);
  if (plan.blocks != plan.launched_blocks)
    facts.derived("grid_set", counted_words(s.input.narration, "blocks", plan.blocks));
  if (plan.threads != plan.launched_threads) facts.derived("block_set", s.word("launch.figure", "block_set"));
}

void add_gpu(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  if (plan.gpu_choice > 0) {
    if (plan.device) facts.derived("gpu_set", plan.device->name);
    return;
  }
  if (plan.match.how == analysis::DeviceMatch::How::adapted)
    facts.fact("description", Figure::explained(s.word("launch.figure", "adapted")));
}

void add_gap(const LaunchSubject& s, FactWriter& facts) {
  switch (s.plan->gap) {
    case Gap::none:
    case Gap::failure: break;
    case Gap::device: facts.missing("device"); break;
    case Gap::registers: facts.missing("registers"); break;
    case Gap::size: facts.missing("size"); break;
  }
}

// How long it waited in its stream, and for what.
void add_waiting(const LaunchSubject& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  const StreamQueue& queue = s.queue;
  facts.fact("stream", facts.recorded(analysis::stream_name(trace, trace.slices.track[walk.kernel])));
  facts.duration("on_gpu", walk.kernel);
  if (queue.how == StreamQueue::How::unlaunched) {
    facts.missing("launch");
    return;
  }
  facts.duration_named(analysis::label_of(trace, walk.launch), walk.launch);
  if (queue.how == StreamQueue::How::untimed) {
    const trace::Track& stream = trace.tracks[trace.slices.track[walk.kernel]];
    std::size_t pieces = 0;
    for (SliceId one = stream.first; one < stream.last; ++one) pieces += trace::is_gpu_work(trace.slices.kind[one]);
    facts.counted("in_stream", pieces);
    return;
  }
  if (queue.how == StreamQueue::How::skewed) {
    facts.missing("skew");
    return;
  }
  facts.counted("ahead_of_it", queue.ahead.count);
  if (queue.how != StreamQueue::How::early) facts.difference("wait", queue.queue());
  if (queue.ahead.count > 1) facts.difference("longest_ahead", queue.ahead.longest_time);
  if (queue.ahead.count > 0) facts.difference("after_free", std::max<std::int64_t>(0, queue.start - queue.free));
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->queued <= 0 || kernel->submitted < kernel->queued || kernel->submitted > queue.start)
    return;
  facts.difference("to_submitted", kernel->submitted - kernel->queued);
  facts.difference("to_start", queue.start - kernel->submitted);
}

}  // namespace

void nothing_facts(const LaunchSubject& s, FactWriter& facts) {
  facts.duration("on_cpu", s.walk().op);
  facts.missing(s.trace().launched.empty() ? "any_gpu_work" : "gpu_work");
}

void queue_facts(const LaunchSubject& s, FactWriter& facts) {
  add_waiting(s, facts);
  facts.missing_times(s.walk());
}

void cross_facts(const LaunchSubject& s, FactWriter& facts) {
  const bool timed = s.queue.how != StreamQueue::How::untimed;
  if (s.queue.timed())
    facts.difference("to_gpu", s.queue.way());
  else if (timed)
    facts.missing("skew");
  const Trace& trace = s.trace();
  if (s.plan) {
    add_launched(s, facts);
  } else if (s.transfer) {
    const auto& copy = trace.transfers[trace.slices.detail[s.walk().kernel]];
    if (copy.bytes != trace::absent) facts.fact("bytes", facts.recorded(static_cast<double>(copy.bytes), Unit::bytes));
  }
  facts.fact("crossing", Figure::explained(s.word("launch.figure", "crossing")));
  const bool simulated = time_record_of(trace, s.walk()) == TimeRecord::unclocked;
  facts.missing(timed ? "crossing" : simulated ? "crossing_unclocked" : "crossing_untimed");
}

void engine_facts(const LaunchSubject& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const auto& copy = trace.transfers[trace.slices.detail[s.walk().kernel]];
  facts.duration("on_gpu", s.walk().kernel);
  if (copy.bytes != trace::absent) {
    facts.fact("bytes", facts.recorded(static_cast<double>(copy.bytes), Unit::bytes));
    if (const auto ns = static_cast<double>(trace.slices.duration[s.walk().kernel]); ns > 0)
      facts.derived("rate", static_cast<double>(copy.bytes) / ns, Unit::gigabytes_per_second);
  }
  facts.fact("blocks_none", Figure::explained(s.word("launch.figure", "none")));
  facts.missing_times(s.walk());
}

void grid_facts(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  add_shape(s, facts);
  if (plan.registers >= 0) facts.fact("registers", facts.recorded(static_cast<double>(plan.registers), Unit::count));
  if (plan.record != nullptr && plan.record->registers_origin == "estimated") facts.missing("registers_estimated");
  if (plan.shared >= 0) facts.fact("shared", facts.recorded(shared_bytes_text(plan.shared)));
  add_gpu(s, facts);
  add_gap(s, facts);
  if (!plan.counted()) return;
  facts.derived("per_sm",
                counted_words(s.input.narration, "blocks", static_cast<std::uint64_t>(plan.occupancy.blocks_per_sm)));
  facts.derived("limited", limiter_words(s.input.narration, plan.occupancy));
  facts.derived("occupancy", plan.occupancy.percent, Unit::percent);
}

void place_facts(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  add_gap(s, facts);
  if (plan.gpu_choice == 0 && plan.recorded_sms > 0)
    facts.fact("sms", facts.recorded(static_cast<double>(plan.recorded_sms), Unit::count));
  else if (plan.device)
    facts.derived("sms", static_cast<double>(*plan.device->sm_count), Unit::count);
  add_gpu(s, facts);
  if (plan.placeable()) {
    const auto recorded = [&](double value) { return Figure::recorded(value, Unit::count, plan.placement_origin); };
    facts.fact("sms_used", recorded(static_cast<double>(s.sms_used())));
    if (const std::uint64_t idle = s.sms_idle(); idle > 0)
      facts.fact("sms_idle", Figure::recorded(counted_words(s.input.narration, "sms", idle), plan.placement_origin));
    if (const PlacedBlock* block = s.followed_block(); block != nullptr) {
      // A record has the SM of a block, but not its slot.
      const auto followed =
          s.input.narration.text("launch.figure", plan.recorded ? "followed_sm" : "followed",
                                 {{"sm", std::to_string(block->sm)}, {"slot", std::to_string(block->slot)}});
      facts.fact("followed", Figure::recorded(followed, plan.placement_origin));
      if (plan.recorded) facts.derived("followed_slot", std::to_string(block->slot));
    }
  }
  if (plan.counted()) facts.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  if (plan.compared > 0)
    facts.derived("agree", 100.0 * static_cast<double>(plan.equal) / static_cast<double>(plan.compared), Unit::percent);
  if (plan.placeable() && !plan.recorded && (plan.record == nullptr || plan.record->placement.empty()))
    facts.missing("placement");
}

void waves_facts(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  add_gap(s, facts);
  facts.missing_times(s.walk());
  facts.duration("on_gpu", s.walk().kernel);
  counted_facts(s.input, CountedGroup::instructions, facts.stage());
  if (const std::optional<Figure> each = instructions_a_block(s.input)) facts.fact("each_block", *each);
  if (!plan.counted()) return;
  facts.derived("slots", static_cast<double>(plan.slots()), Unit::count);
  facts.derived("waves", static_cast<double>(plan.waves.waves()), Unit::count);
  if (plan.waves.tail_blocks > 0)
    facts.derived("tail_blocks", static_cast<double>(plan.waves.tail_blocks), Unit::count);
  if (plan.recorded || !plan.time) return;
  facts.fact("block_time", Figure::recorded(plan.time->block_ns, Unit::nanoseconds, Origin::simulated));
  if (plan.what_if)
    facts.fact("what_if_time", Figure::recorded(plan.time->total_ns, Unit::nanoseconds, Origin::simulated));
}

void tail_facts(const LaunchSubject& s, FactWriter& facts) {
  const LaunchPlan& plan = *s.plan;
  add_gap(s, facts);
  if (!plan.counted()) return;
  const std::uint64_t last = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  facts.derived("last_wave", static_cast<double>(last), Unit::count);
  facts.derived("last_share", 100.0 * static_cast<double>(last) / static_cast<double>(plan.slots()), Unit::percent);
  facts.derived("efficiency", 100 * plan.waves.tail_efficiency, Unit::percent);
  facts.derived("next_full", static_cast<double>(plan.waves.waves() * plan.slots()), Unit::count);
  if (!plan.time_model || !plan.match.device) return;
  // How close the recorded launch came to the GPU's peak: the scaled times keep below it.
  const std::optional<double> operations = plan.time_model->work().fp32_operations,
                              peak = fp32_peak(*plan.match.device);
  if (operations && peak)
    facts.derived("of_peak", 100 * *operations / (*peak * plan.time_model->recorded().total_ns), Unit::percent);
}

void gridless_facts(const LaunchSubject& s, FactWriter& facts) {
  facts.duration("on_gpu", s.walk().kernel);
  facts.missing("grid");
  facts.missing_times(s.walk());
}

}  // namespace warpwalk::story
