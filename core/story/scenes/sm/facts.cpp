// The facts of each beat.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/waves.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

struct Desk {
  const SceneInput& input;
  const SmSubject& sm;
  const SmGains& gains;
  const Narration::Values& values;
  FactWriter facts;

  std::string say(std::string_view key) const { return input.narration.text("sm.say", key, values); }
  const std::string& value(std::string_view key) const { return values.find(key)->second; }

  // The value as launched is recorded; a value set by a control is not.
  void asked(std::string_view key, std::string text, bool set, const std::string& launched) {
    if (set)
      facts.fact(key,
                 Figure::derived(std::move(text), input.narration.text("sm.curve", "set", {{"launched", launched}})));
    else
      facts.fact(key, facts.recorded(std::move(text)));
  }
  void threads() {
    asked("threads", counted(input, "thread", sm.needs.threads), sm.threads_set,
          counted(input, "thread", sm.launched.threads));
  }
  void registers() {
    asked("registers", with_thousands(sm.needs.registers), sm.registers_set, with_thousands(sm.launched.registers));
  }
  void shared() {
    asked("shared", shared_bytes_text(sm.shared()), sm.shared_set, shared_bytes_text(sm.launched.static_shared));
  }
};

void add_arrive(Desk& desk) {
  desk.threads();
  desk.facts.derived("warps", desk.value("warps"));
  if (desk.sm.last_warp_threads() != *desk.sm.device->threads_per_warp) desk.facts.derived("idle", desk.value("idle"));
  desk.facts.derived("slots", desk.value("slots"));
  for (const CountedLine& line : counted_lines(desk.input, CountedGroup::instructions))
    if (line.each) desk.facts.named(line.each_label, *line.each);
  desk.facts.missing("slots");
}

void add_take(Desk& desk) {
  const SmSubject& sm = desk.sm;
  const gpu::Occupancy& fit = sm.fit;
  desk.registers();
  desk.facts.derived("per_warp", desk.value("per_warp"));
  desk.facts.derived("per_block", desk.value("per_block"));
  desk.shared();
  desk.facts.derived("shared_taken", desk.value("shared_taken"));
  const std::int64_t registers =
      fit.registers_per_block - fit.warps_per_block * sm.needs.registers * *sm.device->threads_per_warp;
  const std::int64_t shared = fit.shared_per_block - sm.shared() - *sm.device->shared_reserved_per_block;
  desk.facts.derived(
      "lost", desk.input.narration.text(
                  "sm.say", "lost", {{"registers", with_thousands(registers)}, {"shared", shared_bytes_text(shared)}}));
  for (const CountedLine& line : counted_lines(desk.input, CountedGroup::shared))
    if (line.key == "shared_bank_conflicts")
      desk.facts.named(desk.input.narration.text("sm.say", "whole", {{"what", line.label}}), line.count);
  const trace::KernelRecord* record = kernel_record(desk.input.trace, desk.input.walk);
  if (record != nullptr && record->registers_origin == "estimated" && !sm.registers_set)
    desk.facts.missing("registers_estimated");
}

void add_fit(Desk& desk) {
  desk.facts.derived("blocks", desk.value("blocks"));
  desk.facts.derived("resident",
                     desk.input.narration.text("sm.word", "taken",
                                               {{"used", desk.value("resident")}, {"whole", desk.value("slots")}}));
  desk.facts.derived("occupancy", desk.value("percent"));
}

void add_limit(Desk& desk) {
  const SmSubject& sm = desk.sm;
  desk.facts.derived("limiter", desk.value("limiters"));
  desk.facts.derived("blocks", desk.value("blocks"));
  desk.facts.derived("occupancy", desk.value("percent"));
  desk.facts.derived("free",
                     with_thousands(*sm.device->registers_per_sm - sm.fit.warps_per_sm * sm.fit.registers_per_warp));
  desk.facts.derived("carveout", desk.value("carveout"));
  if (sm.device->barriers_per_sm) desk.facts.missing("barriers");
}

// The spread of a grid that does not fill the GPU: known only if the order of the blocks is known.
void add_spread(Desk& desk) {
  const gpu::Device& device = *desk.sm.device;
  if (!device.gpcs || desk.sm.mean_blocks() >= static_cast<double>(desk.sm.fit.blocks_per_sm)) return;
  gpu::SchedulerState state;
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(*device.sm_count), 0);
  for (const gpu::SmId sm : gpu::first_blocks(device, desk.sm.grid, desk.sm.fit.blocks_per_sm, state)) ++blocks[sm];
  const auto [fewest, limit] = std::minmax_element(blocks.begin(), blocks.end());
  desk.facts.derived(
      "spread", desk.input.narration.text("sm.say", "spread",
                                          {{"fewest", with_thousands(*fewest)}, {"most", with_thousands(*limit)}}));
}

void add_grid(Desk& desk) {
  const SmSubject& sm = desk.sm;
  desk.facts.fact("grid", desk.facts.recorded(desk.say(analysis::shape_key("grid", desk.sm.kernel->grid))));
  // The same figure, from the same source, as in the launch scene.
  const std::int64_t recorded = recorded_sms(desk.input.trace, desk.input.walk);
  if (sm.gpu_choice == 0 && recorded > 0)
    desk.facts.fact("sms", desk.facts.recorded(static_cast<double>(recorded), Unit::count));
  else
    desk.facts.derived("sms", desk.value("sms"));
  desk.facts.derived("mean", desk.value("mean"));
  add_spread(desk);
  desk.facts.derived("occupancy", desk.value("percent"));
  desk.facts.derived("mean_occupancy", desk.value("mean_percent"));
  const double estimate = sm.kernel->occupancy_pct;
  const trace::NamedCounter* const achieved = recorded_counter(desk.input, "achieved_occupancy_pct");
  if (achieved != nullptr && sm.gpu_choice == 0)
    desk.facts.named(
        schedule_label(desk.input.narration, desk.input.narration.text("counted.achieved_occupancy_pct", "label"),
                       has_estimated_schedule(desk.input)),
        Figure::recorded(achieved->value, Unit::percent, achieved->origin));
  else if (time_record_of(desk.input.trace, desk.input.walk) == TimeRecord::unclocked)
    desk.facts.missing("achieved");
  else if (trace::is_absent(estimate))
    desk.facts.missing("estimate");
  else
    desk.facts.derived("estimate", estimate < 0 ? desk.say("no_estimate") : fmt::format("{:.4g} %", estimate));
  if (gpu::waves_of(sm.grid, *sm.device, sm.fit.blocks_per_sm).waves() > 1)
    desk.facts.derived("waves", desk.value("waves"));
}

void add_change(Desk& desk) {
  const SmGains& gains = desk.gains;
  desk.facts.derived("blocks", desk.value("blocks"));
  desk.facts.derived("occupancy", desk.value("percent"));
  if (gains.registers)
    desk.facts.derived("gain_registers",
                       desk.input.narration.text("sm.say", "registers", {{"n", with_thousands(*gains.registers)}}));
  if (gains.shared) desk.facts.derived("gain_shared", shared_bytes_text(*gains.shared));
  if (gains.threads) desk.facts.derived("gain_threads", counted(desk.input, "thread", *gains.threads));
  desk.facts.fact("meaning", Figure::explained(desk.say("meaning")));
  if (desk.sm.grid == 0) desk.facts.missing("no_grid");
}

// The warps of a block on another vendor's GPU, which the warp size alone gives.
void add_wavefronts(Desk& desk) {
  const GpuWords words = gpu_words(desk.input.trace, desk.input.walk);
  if (words.nvidia() || !words.lanes) return;
  desk.facts.derived("warps", counted(desk.input, "warp", (desk.sm.needs.threads + *words.lanes - 1) / *words.lanes));
}

void add_failure(Desk& desk) {
  desk.threads();
  desk.registers();
  desk.facts.derived("per_block", desk.value("per_block"));
  desk.shared();
  desk.facts.derived("blocks", desk.value("blocks"));
}

}  // namespace

void sm_facts(const SceneInput& input, const SmSubject& sm, std::string_view beat, const SmGains& gains,
              const Narration::Values& values, Stage& stage) {
  Desk desk{input, sm, gains, values, FactWriter(input, values, stage)};
  if (!sm.device) {
    desk.threads();
    add_wavefronts(desk);
    desk.registers();
    desk.shared();
    desk.facts.missing(sm.match.recorded.empty() ? "nameless" : "unknown");
    return;
  }
  if (!sm.runs())
    add_failure(desk);
  else if (beat == "arrive")
    add_arrive(desk);
  else if (beat == "take")
    add_take(desk);
  else if (beat == "fill")
    add_fit(desk);
  else if (beat == "limit")
    add_limit(desk);
  else if (beat == "grid")
    add_grid(desk);
  else
    add_change(desk);
  if (sm.gpu_choice > 0)
    stage.missing.push_back(input.narration.text("sm.gpu", "tip.other"));
  else if (sm.match.how == analysis::DeviceMatch::How::adapted)
    desk.facts.missing("adapted");
}

}  // namespace warpwalk::story
