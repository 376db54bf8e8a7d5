// The facts beside one SM, beat by beat.
#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/waves.h"
#include "core/story/facts/kernel_counters.h"
#include "core/story/facts/names.h"
#include "core/story/scenes/sm/parts.h"
#include "core/story/stage/fact_writer.h"

namespace warpwalk::story {
namespace {

struct Desk {
  const SceneInput& input;
  const SmCase& sm;
  const SmGains& gains;
  const Narration::Values& values;
  Teller teller;

  std::string say(std::string_view key) const { return input.narration.text("sm.say", key, values); }
  const std::string& value(std::string_view key) const { return values.find(key)->second; }

  // As launched it is a record; what the person set is no record of anything.
  void asked(std::string_view key, std::string text, bool set, const std::string& launched) {
    if (set)
      teller.fact(key,
                  Figure::derived(std::move(text), input.narration.text("sm.curve", "set", {{"launched", launched}})));
    else
      teller.fact(key, teller.recorded(std::move(text)));
  }
  void threads() {
    asked("threads", counted(input, "thread", sm.needs.threads), sm.threads_set,
          counted(input, "thread", sm.launched.threads));
  }
  void registers() {
    asked("registers", with_thousands(sm.needs.registers), sm.registers_set, with_thousands(sm.launched.registers));
  }
  void shared() { asked("shared", size_text(sm.shared()), sm.shared_set, size_text(sm.launched.static_shared)); }
};

void tell_arrive(Desk& desk) {
  desk.threads();
  desk.teller.derived("warps", desk.value("warps"));
  if (desk.sm.last_warp_threads() != *desk.sm.device->threads_per_warp) desk.teller.derived("idle", desk.value("idle"));
  desk.teller.derived("slots", desk.value("slots"));
  for (const CountedLine& line : counted_lines(desk.input, CountedGroup::instructions))
    if (line.each) desk.teller.named(line.each_label, *line.each);
  desk.teller.lacks("slots");
}

void tell_take(Desk& desk) {
  const SmCase& sm = desk.sm;
  const gpu::Occupancy& fit = sm.fit;
  desk.registers();
  desk.teller.derived("per_warp", desk.value("per_warp"));
  desk.teller.derived("per_block", desk.value("per_block"));
  desk.shared();
  desk.teller.derived("shared_taken", desk.value("shared_taken"));
  const std::int64_t registers =
      fit.registers_per_block - fit.warps_per_block * sm.needs.registers * *sm.device->threads_per_warp;
  const std::int64_t shared = fit.shared_per_block - sm.shared() - *sm.device->shared_reserved_per_block;
  desk.teller.derived(
      "lost", desk.input.narration.text("sm.say", "lost",
                                        {{"registers", with_thousands(registers)}, {"shared", size_text(shared)}}));
  for (const CountedLine& line : counted_lines(desk.input, CountedGroup::shared))
    if (line.key == "shared_bank_conflicts")
      desk.teller.named(desk.input.narration.text("sm.say", "whole", {{"what", line.label}}), line.count);
  const trace::KernelRecord* record = kernel_record(desk.input.trace, desk.input.walk);
  if (record != nullptr && record->registers_origin == "estimated" && !sm.registers_set)
    desk.teller.lacks("registers_estimated");
}

void tell_fit(Desk& desk) {
  desk.teller.derived("blocks", desk.value("blocks"));
  desk.teller.derived("resident",
                      desk.input.narration.text("sm.word", "taken",
                                                {{"used", desk.value("resident")}, {"whole", desk.value("slots")}}));
  desk.teller.derived("occupancy", desk.value("percent"));
}

void tell_limit(Desk& desk) {
  const SmCase& sm = desk.sm;
  desk.teller.derived("limiter", desk.value("limiters"));
  desk.teller.derived("blocks", desk.value("blocks"));
  desk.teller.derived("occupancy", desk.value("percent"));
  desk.teller.derived("free",
                      with_thousands(*sm.device->registers_per_sm - sm.fit.warps_per_sm * sm.fit.registers_per_warp));
  desk.teller.derived("carveout", desk.value("carveout"));
  if (sm.device->barriers_per_sm) desk.teller.lacks("barriers");
}

// How unevenly a grid that does not fill the GPU lies on it. Known only where the order of the blocks is.
void tell_spread(Desk& desk) {
  const gpu::Device& device = *desk.sm.device;
  if (!device.gpcs || desk.sm.mean_blocks() >= static_cast<double>(desk.sm.fit.blocks_per_sm)) return;
  gpu::SchedulerState state;
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(*device.sm_count), 0);
  for (const gpu::SmId sm : gpu::first_blocks(device, desk.sm.grid, desk.sm.fit.blocks_per_sm, state)) ++blocks[sm];
  const auto [fewest, most] = std::minmax_element(blocks.begin(), blocks.end());
  desk.teller.derived(
      "spread", desk.input.narration.text("sm.say", "spread",
                                          {{"fewest", with_thousands(*fewest)}, {"most", with_thousands(*most)}}));
}

void tell_grid(Desk& desk) {
  const SmCase& sm = desk.sm;
  desk.teller.fact("grid", desk.teller.recorded(desk.say(shape_key("grid", desk.sm.kernel->grid))));
  desk.teller.derived("sms", desk.value("sms"));
  desk.teller.derived("mean", desk.value("mean"));
  tell_spread(desk);
  desk.teller.derived("occupancy", desk.value("percent"));
  desk.teller.derived("mean_occupancy", desk.value("mean_percent"));
  const double estimate = sm.kernel->occupancy_pct;
  if (timing_of(desk.input.trace, desk.input.walk) == Timing::unclocked)
    desk.teller.lacks("achieved");
  else if (trace::is_absent(estimate))
    desk.teller.lacks("estimate");
  else
    desk.teller.derived("estimate", estimate < 0 ? desk.say("no_estimate") : fmt::format("{:.4g} %", estimate));
  if (gpu::waves_of(sm.grid, *sm.device, sm.fit.blocks_per_sm).waves() > 1)
    desk.teller.derived("waves", desk.value("waves"));
}

void tell_change(Desk& desk) {
  const SmGains& gains = desk.gains;
  desk.teller.derived("blocks", desk.value("blocks"));
  desk.teller.derived("occupancy", desk.value("percent"));
  if (gains.registers)
    desk.teller.derived("gain_registers",
                        desk.input.narration.text("sm.say", "registers", {{"n", with_thousands(*gains.registers)}}));
  if (gains.shared) desk.teller.derived("gain_shared", size_text(*gains.shared));
  if (gains.threads) desk.teller.derived("gain_threads", counted(desk.input, "thread", *gains.threads));
  desk.teller.fact("meaning", Figure::explained(desk.say("meaning")));
  if (desk.sm.grid == 0) desk.teller.lacks("no_grid");
}

void tell_failure(Desk& desk) {
  desk.threads();
  desk.registers();
  desk.teller.derived("per_block", desk.value("per_block"));
  desk.shared();
  desk.teller.derived("blocks", desk.value("blocks"));
}

}  // namespace

void sm_facts(const SceneInput& input, const SmCase& sm, std::string_view beat, const SmGains& gains,
              const Narration::Values& values, Stage& stage) {
  Desk desk{input, sm, gains, values, Teller(input, values, stage)};
  if (!sm.device) {
    desk.threads();
    desk.registers();
    desk.shared();
    desk.teller.lacks(sm.match.recorded.empty() ? "nameless" : "unknown");
    return;
  }
  if (!sm.runs())
    tell_failure(desk);
  else if (beat == "arrive")
    tell_arrive(desk);
  else if (beat == "take")
    tell_take(desk);
  else if (beat == "fill")
    tell_fit(desk);
  else if (beat == "limit")
    tell_limit(desk);
  else if (beat == "grid")
    tell_grid(desk);
  else
    tell_change(desk);
  if (sm.gpu_choice > 0)
    stage.missing.push_back(input.narration.text("sm.gpu", "tip.other"));
  else if (sm.match.how == DeviceMatch::How::adapted)
    desk.teller.lacks("adapted");
}

}  // namespace warpwalk::story
