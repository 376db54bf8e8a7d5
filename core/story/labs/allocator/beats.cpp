// Lab: malloc and free against PyTorch's caching allocator, and memory snapshots of PyTorch.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/allocator/allocator.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {
namespace {

using namespace allocator_lab;

std::vector<Task> tasks_of(const AllocatorLab& lab) {
  const auto any = [&](auto holds) { return std::ranges::any_of(lab.shots, holds); };
  const Shot& last = lab.shots.back();
  const Outcome by_default = run_plan(lab.plan, settings_of("default", lab.limit)).back().outcome;
  const bool calls_after_first =
      any([&](const Shot& shot) { return &shot > &lab.shots[lab.shots.size() / 2] && !shot.taken.empty(); });
  return {{"fragment", last.outcome == Outcome::fragmented},
          {"full", last.outcome == Outcome::full},
          {"repair", by_default == Outcome::fragmented && !is_refused(last.outcome)},
          {"retried", last.outcome == Outcome::retried},
          {"calm", lab.plan_choice == 0 && !calls_after_first},
          {"split", last.inactive >= last.reserved / 2 && last.reserved > 0}};
}

void set_picture(const AllocatorLab& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  if (beat == "held")
    panels.rows = {{1.2, {held_panel(lab)}}, {1, {blocks_panel(lab), stack_panel(lab)}}};
  else if (beat == "lines")
    panels.rows = {{1, {line_bars_panel(lab)}}, {1.2, {lines_panel(lab)}}};
  else if (beat == "history")
    panels.rows = {{0.7, {history_panel(lab)}}, {1, {held_panel(lab)}}};
  else if (beat == "verdict")
    panels.rows = {{0.8, {held_panel(lab)}}, {1, {verdict_panel(lab), stack_panel(lab)}}};
  else if (beat == "cost")
    panels.rows = {{1, {costs_panel(lab, shown)}}};
  else if (beat == "request")
    panels.rows = {{1, {rules_panel(lab)}, true}, {1, {one_segment_panel(lab)}}};
  else if (beat == "steps")
    panels.rows = {{1, {segments_panel(lab), steps_panel(lab)}}};
  else if (beat == "fragment")
    panels.rows = {{1, {segments_panel(lab), message_panel(lab)}}};
  else if (beat == "settings")
    panels.rows = {{1, {settings_panel(lab)}, true}, {1.1, {segments_panel(lab, false)}}};
  else
    panels.rows = {{1.25, {tasks_panel(lab.input, name, tasks_of(lab))}, true},
                   {1, {segments_panel(lab, false)}, false, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

void add_snapshot_facts(const AllocatorLab& lab, std::string_view beat, FactWriter& facts) {
  const HeldMemory& held = lab.held;
  facts.derived("allocated", size_text(held.allocated));
  facts.derived("reserved", size_text(held.reserved));
  facts.derived("inactive", size_text(held.inactive));
  if (held.awaiting > 0) facts.derived("awaiting", size_text(held.awaiting));
  if (beat != "held") return;
  if (const MemorySnapshot::Block* const block = lab.followed()) {
    facts.fact("block_address", facts.recorded(analysis::address_text(block->address)));
    if (block->state != MemorySnapshot::State::inactive) {
      facts.fact("block_asked", facts.recorded(size_text(block->requested)));
      if (const auto row = allocated_in(lab.input.trace, lab.device, block->address, lab.entries))
        facts.fact("block_entry", facts.recorded(with_thousands(static_cast<std::int64_t>(*row + 1))));
    }
  }
}

void add_model_facts(const AllocatorLab& lab, std::string_view beat, FactWriter& facts) {
  const auto& times = lab.input.hardware.core_times;
  if (beat == "cost") {
    for (const std::string_view call : {cuda_malloc, cuda_free, cached_alloc, cached_free})
      if (const auto ns = call_time(times, call, lab.request))
        facts.fact(call, Figure::derived(*ns, Unit::nanoseconds, facts.word("formula", "between")));
    return;
  }
  if (beat == "request") {
    const std::uint64_t rounded = ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request));
    const auto taken = static_cast<std::int64_t>(ops::CachingAllocator::segment_for(rounded));
    facts.derived("rounded", size_text(static_cast<std::int64_t>(rounded)));
    facts.derived("taken", size_text(taken));
    facts.derived("left", size_text(taken - static_cast<std::int64_t>(rounded)));
    return;
  }
  const Shot& shot = lab.shot();
  facts.derived("allocated", size_text(shot.allocated));
  facts.derived("reserved", size_text(shot.reserved));
  facts.derived("inactive", size_text(shot.inactive));
  if (beat != "steps") return;
  if (const auto costs = costs_of(lab.shots, lab.steps, times)) {
    facts.counted("cached_calls", costs->cached_calls);
    facts.counted("plain_calls", costs->plain_calls);
    facts.derived("cached_time", costs->cached, Unit::nanoseconds);
    facts.derived("plain_time", costs->plain, Unit::nanoseconds);
  }
}

std::string verdict_of(const AllocatorLab& lab) {
  if (!lab.refusal) return "none";
  return lab.refusal->fragmented() ? "fragmented" : "full";
}

}  // namespace

std::vector<Beat> allocator_beats(const Trace& trace, const Walk&) {
  if (trace::has_memory_snapshot(trace))
    return {{"held", 0}, {"lines", 0}, {"history", 0}, {"verdict", 0}, {"fragment", 0}, {"settings", 0}, {"tasks", 0}};
  return {{"cost", 0}, {"request", 0}, {"steps", 0}, {"fragment", 0}, {"settings", 0}, {"tasks", 0}};
}

Stage allocator(const SceneInput& input) {
  std::vector<Beat> beats = allocator_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  AllocatorLab lab(input, beat);
  const bool of_snapshot = beat == "held" || beat == "lines" || beat == "history" || beat == "verdict";
  const bool unmeasured = beat == "cost" && !lab.measured();
  if (unmeasured) here.key = "cost.none";
  if (of_snapshot && !lab.snapshot) here.key = "held.none";
  if (beat == "history" && lab.snapshot && input.trace.memory.empty()) here.key = "history.none";
  if (beat == "lines" && lab.snapshot && lab.held.allocated + lab.held.awaiting == 0) here.key = "lines.none";
  if (beat == "verdict" && lab.snapshot) here.key = fmt::format("verdict.{}", verdict_of(lab));
  const Shot& last = lab.shots.back();
  if (beat == "fragment")
    here.key = last.outcome == Outcome::fragmented ? "fragment"
               : last.outcome == Outcome::full     ? "fragment.full"
                                                   : "fragment.served";
  const auto& times = input.hardware.core_times;
  const double plain =
      call_time(times, cuda_malloc, lab.request).value_or(0) + call_time(times, cuda_free, lab.request).value_or(0);
  const double cached =
      call_time(times, cached_alloc, lab.request).value_or(0) + call_time(times, cached_free, lab.request).value_or(0);
  const std::vector<LineSum> sums =
      lab.snapshot ? sums_by_line(*lab.snapshot, lab.held, lab.callers) : std::vector<LineSum>();
  const std::string first = sums.empty() ? "" : sums[0].line.empty() ? lab.word("no_stack") : sums[0].line;
  const Narration::Values values = {
      {"size", size_text(lab.request)},
      {"plain", time_text(plain)},
      {"cached", time_text(cached)},
      {"times", fmt::format("{:.0f}", cached > 0 ? plain / cached : 0)},
      {"rounded",
       size_text(static_cast<std::int64_t>(ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request))))},
      {"segment", size_text(static_cast<std::int64_t>(ops::CachingAllocator::segment_for(
                      ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request)))))},
      {"plan", lab.word(plan_keys[lab.plan_choice])},
      {"setting", lab.word(lab.setting_key())},
      {"step", fmt::to_string(lab.steps)},
      {"steps", fmt::to_string(lab.plan.size())},
      {"wanted", size_text(last.action.bytes)},
      {"limit", size_text(lab.limit)},
      {"allocated", size_text(last.allocated)},
      {"unallocated", size_text(last.reserved - last.allocated)},
      {"largest", size_text(last.largest_free)},
      {"held_allocated", size_text(lab.held.allocated)},
      {"held_reserved", size_text(lab.held.reserved)},
      {"held_inactive", size_text(lab.held.inactive)},
      {"first_line", first},
      {"first_bytes", size_text(sums.empty() ? 0 : sums[0].bytes)},
      {"entry", with_thousands(static_cast<std::int64_t>(lab.entries))},
      {"entries", with_thousands(static_cast<std::int64_t>(input.trace.memory.size()))},
      {"refused", size_text(lab.refusal ? lab.refusal->bytes : 0)},
      {"refused_free", size_text(lab.refusal ? lab.refusal->free : 0)},
      {"refused_largest", size_text(lab.refusal ? lab.refusal->largest : 0)}};
  Stage stage = common_stage(input, name, beats, values, "memory");
  FactWriter facts(input, values, stage);
  const bool missing = unmeasured || (of_snapshot && !lab.snapshot);
  if (missing) {
    facts.missing(unmeasured ? "times" : "snapshot");
  } else {
    if (of_snapshot)
      add_snapshot_facts(lab, beat, facts);
    else
      add_model_facts(lab, beat, facts);
    set_picture(lab, beat, part(input.moment.phase, 0.05, 0.9), stage);
  }
  stage.controls = lab.controls.take();
  // One word for the controls of each step of the own plan.
  for (Control& control : stage.controls)
    for (const std::string_view kind : {"what_", "size_"})
      if (control.name.starts_with(kind))
        control.label = lab.word(fmt::format("{}n", kind), {{"n", control.name.substr(kind.size())}});
  if (beat == "cost" || beat == "request") keep_controls(stage, {"elements"});
  if (beat == "held" || beat == "lines" || beat == "verdict") keep_controls(stage, {"device", "callers"});
  if (beat == "history") keep_controls(stage, {"device", "entry"});
  // The setting is chosen in the table, the steps in other beats.
  if (beat == "settings") keep_controls(stage, {"plan", "limit"});
  if (beat == "fragment") keep_controls(stage, {"batches", "batch", "kept", "wanted", "limit"});
  if (beat == "steps" || beat == "tasks")
    std::erase_if(stage.controls, [&](const Control& control) {
      const bool shape = control.name == "batches" || control.name == "batch";
      return control.name == "elements" || (shape && beat == "tasks") || control.name == "device" ||
             control.name == "entry" || (control.name == "step" && beat != "steps");
    });
  if (beat == "fragment")
    ask(input, values,
        {"outcome",
         fmt::format("{} {} {}", size_text(lab.wanted), lab.limit, lab.plan.size()),
         {{lab.word("answer_cached"), lab.word("answer_driver"), lab.word("answer_fragmented"),
           lab.word("answer_full")},
          last.outcome == Outcome::cached       ? std::size_t{0}
          : last.outcome == Outcome::fragmented ? std::size_t{2}
          : last.outcome == Outcome::full       ? std::size_t{3}
                                                : std::size_t{1},
          {"cached", "driver", "fragmented", "full"}},
         {}},
        stage);
  return stage;
}

}  // namespace warpwalk::story
