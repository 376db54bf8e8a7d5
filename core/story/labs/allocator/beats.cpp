// Lab: malloc and free against PyTorch's caching allocator, and memory snapshots of PyTorch.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/records/hardware.h"
#include "core/story/beats/beat_of.h"
#include "core/story/labs/allocator/allocator.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"

namespace warpwalk::story {
namespace {

using namespace allocator_lab;

std::vector<Task> tasks_of(const AllocatorLab& lab) {
  const auto any = [&](auto holds) { return std::ranges::any_of(lab.shots, holds); };
  const Shot& last = lab.shots.back();
  const Outcome by_default = run_plan(lab.plan, with_limit({}, lab.limit)).back().outcome;
  const bool calls_after_first =
      any([&](const Shot& shot) { return &shot > &lab.shots[lab.shots.size() / 2] && !shot.taken.empty(); });
  return {{"fragment", last.outcome == Outcome::fragmented},
          {"full", last.outcome == Outcome::full},
          {"repair", by_default == Outcome::fragmented && !is_refused(last.outcome)},
          {"retried", last.outcome == Outcome::retried},
          {"calm", lab.plan_choice == 0 && !calls_after_first},
          {"split", last.inactive >= last.reserved / 2 && last.reserved > 0}};
}

void snapshot_facts(const AllocatorLab& lab, FactWriter& facts) {
  const HeldMemory& held = lab.held;
  facts.derived("allocated", size_text(held.allocated));
  facts.derived("reserved", size_text(held.reserved));
  facts.derived("inactive", size_text(held.inactive));
  if (held.awaiting > 0) facts.derived("awaiting", size_text(held.awaiting));
}

void held_facts(const AllocatorLab& lab, FactWriter& facts) {
  snapshot_facts(lab, facts);
  const MemorySnapshot::Block* const block = lab.followed();
  if (block == nullptr) return;
  facts.fact("block_address", facts.recorded(analysis::address_text(block->address)));
  if (block->state == MemorySnapshot::State::inactive) return;
  facts.fact("block_asked", facts.recorded(size_text(block->requested)));
  if (const auto row = allocated_in(lab.input.trace, lab.device, block->address, lab.entries))
    facts.fact("block_entry", facts.recorded(with_thousands(static_cast<std::int64_t>(*row + 1))));
}

void cost_facts(const AllocatorLab& lab, FactWriter& facts) {
  for (const std::string_view call : {cuda_malloc, cuda_free, cached_alloc, cached_free})
    if (const auto ns = call_time(lab.input.hardware.core_times, call, lab.request))
      facts.fact(call, Figure::derived(*ns, Unit::nanoseconds, facts.word("formula", "between")));
}

void request_facts(const AllocatorLab& lab, FactWriter& facts) {
  const std::uint64_t rounded = ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request));
  const auto taken = static_cast<std::int64_t>(ops::CachingAllocator::segment_for(rounded));
  facts.derived("rounded", size_text(static_cast<std::int64_t>(rounded)));
  facts.derived("taken", size_text(taken));
  facts.derived("left", size_text(taken - static_cast<std::int64_t>(rounded)));
}

void plan_facts(const AllocatorLab& lab, FactWriter& facts) {
  const Shot& shot = lab.shot();
  facts.derived("allocated", size_text(shot.allocated));
  facts.derived("reserved", size_text(shot.reserved));
  facts.derived("inactive", size_text(shot.inactive));
}

void steps_facts(const AllocatorLab& lab, FactWriter& facts) {
  plan_facts(lab, facts);
  if (const auto costs = costs_of(lab.shots, lab.steps, lab.input.hardware.core_times)) {
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

Narration::Values values_of(const AllocatorLab& lab) {
  const Shot& last = lab.shots.back();
  const auto& times = lab.input.hardware.core_times;
  const double plain =
      call_time(times, cuda_malloc, lab.request).value_or(0) + call_time(times, cuda_free, lab.request).value_or(0);
  const double cached =
      call_time(times, cached_alloc, lab.request).value_or(0) + call_time(times, cached_free, lab.request).value_or(0);
  const std::vector<LineSum> sums =
      lab.snapshot ? sums_by_line(*lab.snapshot, lab.held, lab.callers) : std::vector<LineSum>();
  const std::string first = sums.empty() ? "" : sums[0].line.empty() ? lab.word("no_stack") : sums[0].line;
  return {
      {"size", size_text(lab.request)},
      {"plain", time_text(plain)},
      {"cached", time_text(cached)},
      {"times", fmt::format("{:.0f}", cached > 0 ? plain / cached : 0)},
      {"rounded",
       size_text(static_cast<std::int64_t>(ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request))))},
      {"segment", size_text(static_cast<std::int64_t>(ops::CachingAllocator::segment_for(
                      ops::CachingAllocator::rounded(static_cast<std::uint64_t>(lab.request)))))},
      {"plan", lab.word(plan_keys[lab.plan_choice])},
      {"setting", lab.word(allocator_settings[lab.setting].key)},
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
      {"entries", with_thousands(static_cast<std::int64_t>(lab.input.trace.memory.size()))},
      {"refused", size_text(lab.refusal ? lab.refusal->bytes : 0)},
      {"refused_free", size_text(lab.refusal ? lab.refusal->free : 0)},
      {"refused_largest", size_text(lab.refusal ? lab.refusal->largest : 0)}};
}

std::optional<std::int64_t> with_snapshot(const WalkTimes& times) {
  return trace::has_memory_snapshot(times.trace) ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::optional<std::int64_t> without_snapshot(const WalkTimes& times) {
  return trace::has_memory_snapshot(times.trace) ? std::nullopt : std::optional<std::int64_t>(0);
}

std::optional<MissingData> no_snapshot(const AllocatorLab& lab) {
  return lab.snapshot ? std::nullopt : std::optional(MissingData{"snapshot", "held.none"});
}

ControlNames request_control(const AllocatorLab&) { return {"elements"}; }

ControlNames snapshot_controls(const AllocatorLab&) { return {"device", "callers"}; }

void drop_controls(Stage& stage, const ControlNames& names) {
  std::erase_if(stage.controls,
                [&](const Control& control) { return std::ranges::find(names, control.name) != names.end(); });
}

std::optional<Ask> outcome_question(const AllocatorLab& lab) {
  const Outcome last = lab.shots.back().outcome;
  return Ask{
      "outcome",
      fmt::format("{} {} {}", size_text(lab.wanted), lab.limit, lab.plan.size()),
      {{lab.word("answer_cached"), lab.word("answer_driver"), lab.word("answer_fragmented"), lab.word("answer_full")},
       last == Outcome::cached       ? std::size_t{0}
       : last == Outcome::fragmented ? std::size_t{2}
       : last == Outcome::full       ? std::size_t{3}
                                     : std::size_t{1},
       {"cached", "driver", "fragmented", "full"}},
      {}};
}

using AllocatorBeat = BeatOf<AllocatorLab, AllocatorStart>;

constexpr Frame<AllocatorLab, AllocatorStart> allocator_frame = {
    .subject = [](const Here& here) { return AllocatorLab(here.input, here.shown<AllocatorBeat>()->more); },
    .stop = "memory",
    .values = values_of,
    .complete =
        [](AllocatorLab& lab, const Narration::Values&, Stage& stage) {
          stage.controls = lab.controls.take();
          // One word for the controls of each step of the own plan.
          for (Control& control : stage.controls)
            for (const std::string_view kind : {"what_", "size_"})
              if (control.name.starts_with(kind))
                control.label = lab.word(fmt::format("{}n", kind), {{"n", control.name.substr(kind.size())}});
        }};

constexpr AllocatorBeat allocator_beats[] = {
    {.key = "held",
     .anchor = with_snapshot,
     .missing = no_snapshot,
     .facts = held_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1.2, {held_panel(lab)}}, {1, {blocks_panel(lab), stack_panel(lab)}}};
     },
     .controls = snapshot_controls},
    {.key = "lines",
     .anchor = with_snapshot,
     .missing = no_snapshot,
     .section = [](const AllocatorLab& lab) -> std::string {
       return lab.held.allocated + lab.held.awaiting == 0 ? "lines.none" : "lines";
     },
     .facts = snapshot_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {line_bars_panel(lab)}}, {1.2, {lines_panel(lab)}}};
     },
     .controls = snapshot_controls,
     .more = {.outer_frames = true}},
    {.key = "history",
     .anchor = with_snapshot,
     .missing = no_snapshot,
     .section = [](const AllocatorLab& lab) -> std::string {
       return lab.input.trace.memory.empty() ? "history.none" : "history";
     },
     .facts = snapshot_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{0.7, {history_panel(lab)}}, {1, {held_panel(lab)}}};
     },
     .controls = [](const AllocatorLab&) -> ControlNames {
       return {"device", "entry"};
     },
     .more = {.by_entry = true}},
    {.key = "verdict",
     .anchor = with_snapshot,
     .missing = no_snapshot,
     .section = [](const AllocatorLab& lab) { return fmt::format("verdict.{}", verdict_of(lab)); },
     .facts = snapshot_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{0.8, {held_panel(lab)}}, {1, {verdict_panel(lab), stack_panel(lab)}}};
     },
     .controls = snapshot_controls,
     .more = {.at_refusal = true}},
    {.key = "cost",
     .anchor = without_snapshot,
     .missing = [](const AllocatorLab& lab) -> std::optional<MissingData> {
       if (lab.measured()) return {};
       return MissingData{"times", "cost.none"};
     },
     .facts = cost_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {costs_panel(lab, part(lab.input.moment.phase, 0.05, 0.9))}}};
     },
     .controls = request_control},
    {.key = "request",
     .anchor = without_snapshot,
     .facts = request_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {rules_panel(lab)}, true}, {1, {one_segment_panel(lab)}}};
     },
     .controls = request_control},
    {.key = "steps",
     .anchor = without_snapshot,
     .facts = steps_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {segments_panel(lab), steps_panel(lab)}}};
     },
     .picture =
         [](const AllocatorLab&, Stage& stage) {
           drop_controls(stage, {"elements", "device", "entry"});
         },
     .more = {.by_step = true}},
    {.key = "fragment",
     .section = [](const AllocatorLab& lab) -> std::string {
       const Outcome last = lab.shots.back().outcome;
       return last == Outcome::fragmented ? "fragment" : last == Outcome::full ? "fragment.full" : "fragment.served";
     },
     .facts = plan_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {segments_panel(lab), message_panel(lab)}}};
     },
     .controls = [](const AllocatorLab&) -> ControlNames {
       return {"batches", "batch", "kept", "wanted", "limit"};
     },
     .question = outcome_question,
     .more = {.plan = AllocatorStart::Plan::only_kept}},
    {.key = "settings",
     .facts = plan_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1, {settings_panel(lab)}, true}, {1.1, {segments_panel(lab, false)}}};
     },
     // The setting is chosen in the table, the steps in other beats.
     .controls = [](const AllocatorLab&) -> ControlNames {
       return {"plan", "limit"};
     },
     .more = {.plan = AllocatorStart::Plan::kept, .setting = AllocatorStart::Setting::pointed}},
    {.key = "tasks",
     .facts = plan_facts,
     .panels = [](const AllocatorLab& lab) -> PanelRows {
       return {{1.25, {tasks_panel(lab.input, name, tasks_of(lab))}, true},
               {1, {segments_panel(lab, false)}, false, true}};
     },
     .picture =
         [](const AllocatorLab&, Stage& stage) {
           drop_controls(stage, {"elements", "batches", "batch", "device", "entry", "step"});
         },
     .more = {.plan = AllocatorStart::Plan::kept, .setting = AllocatorStart::Setting::chosen}}};

}  // namespace

const Contents& caching_allocator_lab() {
  static const BeatTable table(name, allocator_frame, allocator_beats);
  return table;
}

}  // namespace warpwalk::story
