// The facts of each beat.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
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

// The value as launched is recorded; a value set by a control is not.
void asked_fact(const SmSubject& sm, FactWriter& facts, std::string_view key, std::string text, bool set,
                const std::string& launched) {
  facts.fact(
      key, set ? Figure::derived(std::move(text), sm.input.narration.text("sm.curve", "set", {{"launched", launched}}))
               : facts.recorded(std::move(text)));
}

void threads_fact(const SmSubject& sm, FactWriter& facts) {
  asked_fact(sm, facts, "threads", counted(sm.input, "thread", sm.needs.threads), sm.threads_set,
             counted(sm.input, "thread", sm.launched.threads));
}

void registers_fact(const SmSubject& sm, FactWriter& facts) {
  asked_fact(sm, facts, "registers", with_thousands(sm.needs.registers), sm.registers_set,
             with_thousands(sm.launched.registers));
}

void shared_fact(const SmSubject& sm, FactWriter& facts) {
  asked_fact(sm, facts, "shared", shared_bytes_text(sm.shared()), sm.shared_set,
             shared_bytes_text(sm.launched.static_shared));
}

// A figure that the sentences say, too.
void derived_fact(const SmSubject& sm, FactWriter& facts, std::string_view key, std::string_view value) {
  facts.derived(key, sm.values.find(value)->second);
}

std::string say(const SmSubject& sm, std::string_view key) { return sm.input.narration.text("sm.say", key, sm.values); }

// The spread of a grid that does not fill the GPU: known only if the order of the blocks is known.
void spread_fact(const SmSubject& sm, FactWriter& facts) {
  const gpu::Device& device = *sm.device;
  if (!device.gpcs || sm.mean_blocks() >= static_cast<double>(sm.fit.blocks_per_sm)) return;
  gpu::SchedulerState state;
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(*device.sm_count), 0);
  for (const gpu::SmId on : gpu::first_blocks(device, sm.grid, sm.fit.blocks_per_sm, state)) ++blocks[on];
  const auto [fewest, limit] = std::minmax_element(blocks.begin(), blocks.end());
  facts.derived("spread",
                sm.input.narration.text("sm.say", "spread",
                                        {{"fewest", with_thousands(*fewest)}, {"most", with_thousands(*limit)}}));
}

// The warps of a block on another vendor's GPU, which the warp size alone gives.
void wavefronts_fact(const SmSubject& sm, FactWriter& facts) {
  const GpuWords words = gpu_words(sm.input.trace, sm.input.walk);
  if (words.nvidia() || !words.lanes) return;
  facts.derived("warps", counted(sm.input, "warp", (sm.needs.threads + *words.lanes - 1) / *words.lanes));
}

}  // namespace

void sm_facts(const SmSubject& sm, FactWriter& facts) {
  if (sm.device && sm.runs()) return;
  threads_fact(sm, facts);
  if (!sm.device) wavefronts_fact(sm, facts);
  registers_fact(sm, facts);
  if (sm.device) derived_fact(sm, facts, "per_block", "per_block");
  shared_fact(sm, facts);
  if (sm.device)
    derived_fact(sm, facts, "blocks", "blocks");
  else
    facts.missing(sm.match.recorded.empty() ? "nameless" : "unknown");
}

void arrive_facts(const SmSubject& sm, FactWriter& facts) {
  threads_fact(sm, facts);
  derived_fact(sm, facts, "warps", "warps");
  if (sm.last_warp_threads() != *sm.device->threads_per_warp) derived_fact(sm, facts, "idle", "idle");
  derived_fact(sm, facts, "slots", "slots");
  for (const CountedLine& line : counted_lines(sm.input, CountedGroup::instructions))
    if (line.each) facts.named(line.each_label, *line.each);
  facts.missing("slots");
}

void take_facts(const SmSubject& sm, FactWriter& facts) {
  const gpu::Occupancy& fit = sm.fit;
  registers_fact(sm, facts);
  derived_fact(sm, facts, "per_warp", "per_warp");
  derived_fact(sm, facts, "per_block", "per_block");
  shared_fact(sm, facts);
  derived_fact(sm, facts, "shared_taken", "shared_taken");
  const std::int64_t registers =
      fit.registers_per_block - fit.warps_per_block * sm.needs.registers * *sm.device->threads_per_warp;
  const std::int64_t shared = fit.shared_per_block - sm.shared() - *sm.device->shared_reserved_per_block;
  facts.derived(
      "lost", sm.input.narration.text(
                  "sm.say", "lost", {{"registers", with_thousands(registers)}, {"shared", shared_bytes_text(shared)}}));
  for (const CountedLine& line : counted_lines(sm.input, CountedGroup::shared))
    if (line.key == "shared_bank_conflicts")
      facts.named(sm.input.narration.text("sm.say", "whole", {{"what", line.label}}), line.count);
  const trace::KernelRecord* record = kernel_record(sm.input.trace, sm.input.walk);
  if (record != nullptr && record->registers_origin == "estimated" && !sm.registers_set)
    facts.missing("registers_estimated");
}

void fill_facts(const SmSubject& sm, FactWriter& facts) {
  derived_fact(sm, facts, "blocks", "blocks");
  facts.derived("resident",
                sm.input.narration.text("sm.word", "taken",
                                        {{"used", sm.values.at("resident")}, {"whole", sm.values.at("slots")}}));
  derived_fact(sm, facts, "occupancy", "percent");
}

void limit_facts(const SmSubject& sm, FactWriter& facts) {
  derived_fact(sm, facts, "limiter", "limiters");
  derived_fact(sm, facts, "blocks", "blocks");
  derived_fact(sm, facts, "occupancy", "percent");
  facts.derived("free", with_thousands(*sm.device->registers_per_sm - sm.fit.warps_per_sm * sm.fit.registers_per_warp));
  derived_fact(sm, facts, "carveout", "carveout");
  if (sm.device->barriers_per_sm) facts.missing("barriers");
}

void grid_facts(const SmSubject& sm, FactWriter& facts) {
  facts.fact("grid", facts.recorded(say(sm, analysis::shape_key("grid", sm.kernel->grid))));
  // The same figure, from the same source, as in the launch scene.
  const std::int64_t recorded = recorded_sms(sm.input.trace, sm.input.walk);
  if (sm.gpu_choice == 0 && recorded > 0)
    facts.fact("sms", facts.recorded(static_cast<double>(recorded), Unit::count));
  else
    derived_fact(sm, facts, "sms", "sms");
  derived_fact(sm, facts, "mean", "mean");
  spread_fact(sm, facts);
  derived_fact(sm, facts, "occupancy", "percent");
  derived_fact(sm, facts, "mean_occupancy", "mean_percent");
  const double estimate = sm.kernel->occupancy_pct;
  const trace::NamedCounter* const achieved = recorded_counter(sm.input, "achieved_occupancy_pct");
  if (achieved != nullptr && sm.gpu_choice == 0)
    facts.named(schedule_label(sm.input.narration, sm.input.narration.text("counted.achieved_occupancy_pct", "label"),
                               has_estimated_schedule(sm.input)),
                Figure::recorded(achieved->value, Unit::percent, achieved->origin));
  else if (time_record_of(sm.input.trace, sm.input.walk) == TimeRecord::unclocked)
    facts.missing("achieved");
  else if (trace::is_absent(estimate))
    facts.missing("estimate");
  else
    facts.derived("estimate", estimate < 0 ? say(sm, "no_estimate") : with_marks(fmt::format("{:.4g} %", estimate)));
  if (gpu::waves_of(sm.grid, *sm.device, sm.fit.blocks_per_sm).waves() > 1) derived_fact(sm, facts, "waves", "waves");
}

void change_facts(const SmSubject& sm, FactWriter& facts) {
  derived_fact(sm, facts, "blocks", "blocks");
  derived_fact(sm, facts, "occupancy", "percent");
  if (sm.gains.registers)
    facts.derived("gain_registers",
                  sm.input.narration.text("sm.say", "registers", {{"n", with_thousands(*sm.gains.registers)}}));
  if (sm.gains.shared) facts.derived("gain_shared", shared_bytes_text(*sm.gains.shared));
  if (sm.gains.threads) facts.derived("gain_threads", counted(sm.input, "thread", *sm.gains.threads));
  facts.fact("meaning", Figure::explained(say(sm, "meaning")));
  if (sm.grid == 0) facts.missing("no_grid");
}

}  // namespace warpwalk::story
