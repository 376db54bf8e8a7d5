#include "core/story/facts/simulated/kernel_cycles.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

constexpr std::string_view stall_prefix = "stall_";
constexpr std::size_t shown_stalls = 3;

}  // namespace

Unit unit_of_counter(std::string_view name) {
  return name.ends_with("_pct") ? Unit::percent : name.ends_with("_bytes") ? Unit::bytes : Unit::count;
}

const trace::NamedCounter* recorded_counter(const SceneInput& input, std::string_view name) {
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  if (record == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      record->counters, [&](const trace::NamedCounter& counter) { return counter.name == name && counter.value >= 0; });
  return found == record->counters.end() ? nullptr : &*found;
}

std::vector<StallShare> stall_shares(const SceneInput& input) {
  std::vector<StallShare> shares;
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  if (record == nullptr) return shares;
  double all = 0;
  for (const trace::NamedCounter& counter : record->counters) {
    if (!counter.name.starts_with(stall_prefix) || !(counter.value > 0)) continue;
    shares.push_back({counter.name.substr(stall_prefix.size()), counter.value});
    all += counter.value;
  }
  for (StallShare& share : shares) share.percent *= 100 / all;
  std::ranges::stable_sort(shares, std::ranges::greater{}, &StallShare::percent);
  return shares;
}

std::string stall_word(const Narration& narration, std::string_view reason) {
  const std::string word = narration.has("stall", reason) ? narration.text("stall", reason) : std::string(reason);
  return word == reason ? word : fmt::format("{} ({})", reason, word);
}

std::string stall_sentence(const Narration& narration, gpu::StallReason reason) {
  const std::string_view name = gpu::name_of(reason);
  return fmt::format("{} ({})", narration.text("schedulers.reason", name), name);
}

bool has_estimated_schedule(const SceneInput& input) {
  // The timing model estimates the schedule of programs that have no machine code.
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  const trace::NamedCounter* const cycles = recorded_counter(input, "cycles");
  return record != nullptr && record->code == "ptx" && cycles != nullptr && cycles->origin == Origin::simulated;
}

std::string schedule_label(const Narration& narration, std::string label, bool estimated) {
  return estimated ? narration.text("counted.estimated", "label", {{"label", label}}) : label;
}

void cycle_facts(const SceneInput& input, Stage& stage) {
  const bool estimated = has_estimated_schedule(input);
  for (const char* const name : {"cycles", "achieved_occupancy_pct"})
    if (const trace::NamedCounter* counter = recorded_counter(input, name))
      stage.facts.push_back(
          {schedule_label(input.narration, input.narration.text(fmt::format("counted.{}", name), "label"), estimated),
           Figure::recorded(counter->value, unit_of_counter(name), counter->origin)});
  std::size_t shown = 0;
  for (const StallShare& share : stall_shares(input)) {
    // A file may name reasons that are not known here.
    if (share.reason == "selected" || !input.narration.has("stall", share.reason) || shown == shown_stalls) continue;
    ++shown;
    stage.facts.push_back(
        {input.narration.text("counted.stall", "label", {{"reason", stall_word(input.narration, share.reason)}}),
         Figure::derived(share.percent, Unit::percent,
                         input.narration.text("counted.stall", "formula", {{"name", share.reason}}))});
  }
}

}  // namespace warpwalk::story
