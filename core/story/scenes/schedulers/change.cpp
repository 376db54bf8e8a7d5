// What if? The same launch on a GPU with another issue policy, fewer blocks on an SM or a slower memory.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

using gpu::IssuePolicy;

// In the order of the control's words.
constexpr std::array<std::pair<IssuePolicy, std::string_view>, 4> policies = {
    {{IssuePolicy::greedy_then_youngest, "youngest"},
     {IssuePolicy::greedy_then_oldest, "oldest"},
     {IssuePolicy::loose_round_robin, "robin"},
     {IssuePolicy::one_at_a_time, "one"}}};

double percent(double part, double of) { return of > 0 ? 100 * part / of : 0; }

double stall_share(const gpu::LaunchTiming& timing, gpu::StallReason reason) {
  double all = 0;
  for (const auto cycles : timing.stalls) all += static_cast<double>(cycles);
  return percent(static_cast<double>(timing.stalls[static_cast<std::size_t>(reason)]), all);
}

}  // namespace

double slots_used(const gpu::LaunchTiming& timing) {
  return percent(static_cast<double>(timing.warp_instructions), static_cast<double>(timing.scheduler_cycles));
}

run::WhatIf chosen_change(const Controls& controls) {
  run::WhatIf change;
  if (const auto policy = controls.get("schedulers", "policy"))
    change.policy = policies[static_cast<std::size_t>(std::clamp(*policy, 0.0, 3.0))].first;
  if (const auto blocks = controls.get("schedulers", "blocks"))
    change.blocks = static_cast<int>(std::clamp(*blocks, 1.0, 64.0));
  if (const auto slower = controls.get("schedulers", "memory")) change.memory_latency = std::clamp(*slower, 1.0, 8.0);
  return change;
}

void add_change_controls(ControlSet& controls, const SceneInput& input, std::int64_t blocks, bool one_warp) {
  std::vector<std::string> words;
  for (const auto& [policy, key] : policies) words.push_back(input.narration.text("schedulers.policy", key));
  controls.choice("policy", std::move(words), one_warp ? 3 : 0, one_warp ? "alone" : "as_measured");
  if (blocks > 1) controls.slider("blocks", steps_by(1, static_cast<double>(blocks), 1), blocks, "as_launched");
  controls.slider("memory", {1, 2, 4, 8}, 1, "as_measured", input.narration.text("schedulers.word", "times"));
}

TablePicture change_table(const SceneInput& input) {
  const gpu::LaunchTiming &as_is = input.history.travel->timing(), &changed = input.history.changed->timing();
  const auto word = [&](std::string_view key) { return input.narration.text("schedulers.change", key); };
  TablePicture table;
  table.columns = {{word("what"), 1.6}, {word("as_is"), 1, true}, {word("changed"), 1, true}};
  const auto add_row = [&](std::string what, const auto& figure) {
    table.rows.push_back(
        {{word_cell(std::move(what), Tone::quiet), figure_cell(figure(as_is)), figure_cell(figure(changed))}});
  };
  const auto row = [&](std::string_view key, const auto& figure) { add_row(word(key), figure); };
  const auto share = [](auto of) {
    return [of](const gpu::LaunchTiming& timing) {
      return Figure::recorded(of(timing), Unit::percent, Origin::simulated);
    };
  };
  row("slots", share(slots_used));
  if (!as_is.cut && !changed.cut)
    row("cycles", [](const gpu::LaunchTiming& timing) {
      return Figure::recorded(timing.cycles, Unit::count, Origin::simulated);
    });
  row("occupancy", share([](const gpu::LaunchTiming& timing) { return timing.achieved_occupancy; }));
  for (const gpu::StallReason reason :
       {gpu::StallReason::long_scoreboard, gpu::StallReason::barrier, gpu::StallReason::not_selected})
    add_row(
        input.narration.text("counted.stall", "label", {{"reason", stall_word(input.narration, gpu::name_of(reason))}}),
        share([reason](const gpu::LaunchTiming& timing) { return stall_share(timing, reason); }));
  return table;
}

}  // namespace warpwalk::story
