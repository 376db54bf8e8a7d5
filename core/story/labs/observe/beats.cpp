// Lab: what instruments see of a GPU: capacity is not utilization, and utilization is not occupancy.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/observe/observe.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

std::vector<Task> tasks_of(const Observe& lab) {
  const GpuShare gpu = lab.gpu();
  const double share = lab.duty.share();
  // The lowest and the highest window of a long stretch.
  const auto windows = window_shares({lab.duty.kernel / 1000, lab.duty.gap / 1000}, lab.window, lab.offset, 40);
  const auto [low, high] = std::ranges::minmax(windows);
  const auto used = lab.percent(lab.moment_key(), "used"), active = lab.percent(lab.moment_key(), "sm_active");
  return {{"one_block", share > 0.999 && gpu.sms < 0.01},
          {"half", std::abs(share - 0.5) < 0.05 && gpu.sms > 0.999},
          {"occupied", gpu.sms > 0.999 && gpu.occupancy < 0.1},
          {"swing", high - low >= 15},
          {"full_idle", used && *used > 40 && active && *active < 1},
          {"low_occupancy", lab.percent(lab.moment_key(), "occupancy").value_or(100) < 20 &&
                                lab.percent(lab.moment_key(), "tensor").value_or(0) > 50}};
}

void instrument_facts(const Observe& lab, std::initializer_list<std::string_view> keys, FactWriter& facts) {
  for (const std::string_view key : keys)
    if (auto figure = lab.figure(lab.moment_key(), Observe::find(key))) facts.fact(key, std::move(*figure));
}

void moment_facts(const Observe& lab, FactWriter& facts) {
  instrument_facts(lab, {"utilization", "sm_active", "occupancy", "bandwidth", "power"}, facts);
  const auto kernel = lab.record->text(lab.moment_key(), "profiler", "kernel");
  if (kernel.empty()) return;
  facts.fact("kernel", Figure::recorded(std::string(kernel), Origin::measured));
  facts.fact("blocks", Figure::recorded(lab.record->number(lab.moment_key(), "profiler", "grid").value_or(0),
                                        Unit::count, Origin::measured));
  facts.fact("length", Figure::recorded(1000 * lab.record->number(lab.moment_key(), "profiler", "mean_us").value_or(0),
                                        Unit::nanoseconds, Origin::measured));
}

void share_facts(const Observe& lab, FactWriter& facts) {
  const GpuShare gpu = lab.gpu();
  const double share = 100 * lab.duty.share();
  facts.derived("utilization_derived", percent_text(share));
  facts.derived("sms_derived", percent_text(share * gpu.sms));
  facts.derived("occupancy_derived", percent_text(share * gpu.occupancy));
}

void window_facts(const Observe& lab, FactWriter& facts) {
  const auto [kernel, gap] = Observe::bursts[lab.burst];
  facts.derived("share_derived", percent_text(100 * kernel / (kernel + gap)));
  for (const MeasuredDuty& one : measured_duties(*lab.record)) {
    if (one.kernel_us != kernel || one.gap_us != gap) continue;
    facts.derived("mean_reading", percent_text(one.utilization()));
    if (const auto ms = one.renewed()) facts.derived("renewed", *ms * 1e6, Unit::nanoseconds);
  }
}

void overhead_facts(const Observe& lab, FactWriter& facts) {
  if (const auto seconds = lab.record->number(lab.moment_key(), "smi", "seconds"))
    facts.fact("smi_time", Figure::recorded(*seconds * 1e9, Unit::nanoseconds, Origin::measured));
  const auto alone = lab.record->number(lab.moment_key(), "profiler", "mean_us");
  const auto under = lab.record->number(lab.moment_key(), "ncu", "duration_ns");
  if (alone && under) {
    facts.fact("length", Figure::recorded(*alone * 1000, Unit::nanoseconds, Origin::measured));
    facts.fact("length_ncu", Figure::recorded(*under, Unit::nanoseconds, Origin::measured));
  }
}

Narration::Values values_of(const Observe& lab) {
  Narration::Values values = {
      {"moment", lab.word(fmt::format("moment_{}", lab.moment_key()))},
      {"instrument", lab.input.narration.text(fmt::format("{}.instrument", Observe::name),
                                              fmt::format("{}_name", Observe::instruments[lab.instrument].key))},
      {"share", percent_text(100 * lab.duty.share())},
      {"sms_share", percent_text(100 * lab.duty.share() * lab.gpu().sms)},
      {"occupancy_share", percent_text(100 * lab.duty.share() * lab.gpu().occupancy)},
      {"n_blocks", count_text(lab.input.narration, "block", lab.blocks)},
      {"window", with_marks(fmt::format("{:g} ms", lab.window))}};
  if (lab.record == nullptr) return values;
  for (const std::string_view key : {"utilization", "sm_active", "occupancy", "tensor", "bandwidth", "used"})
    values[std::string(key)] = lab.shown(lab.moment_key(), key);
  const auto bytes = [&](std::string_view tool, std::string_view figure) {
    return bytes_text(lab.record->number(lab.moment_key(), tool, figure).value_or(0));
  };
  values["allocated"] = bytes("torch", "memory_allocated");
  values["reserved"] = bytes("torch", "memory_reserved");
  values["used_bytes"] = bytes("nvml", "used");
  const auto off = lab.record->number("small", "program", "per_second"),
             on = lab.record->number("small", "profiler", "per_second");
  values["slower"] = off && on ? with_marks(fmt::format("{:.1f}", *off / *on)) : "?";
  for (const MeasuredDuty& one : measured_duties(*lab.record)) {
    if (one.kernel_us != Observe::bursts[lab.burst].first || one.gap_us != Observe::bursts[lab.burst].second) continue;
    values["renewed"] = fmt::format("{:.0f} ms", one.renewed().value_or(0));
    const auto [low, high] = std::ranges::minmax_element(one.readings, {}, &std::pair<double, double>::second);
    if (low != one.readings.end()) {
      values["low"] = fmt::format("{:.0f} %", low->second);
      values["high"] = fmt::format("{:.0f} %", high->second);
    }
  }
  return values;
}

std::optional<MissingData> no_observer_record(const Observe& lab) {
  return lab.record == nullptr ? std::optional(MissingData{"record"}) : std::nullopt;
}

ControlNames moment_control(const Observe&) { return {"moment"}; }

std::optional<Ask> active_question(const Observe& lab) {
  Ask active{
      "active",
      std::string(lab.moment_key()),
      range_options(lab.input.narration, lab.percent(lab.moment_key(), "sm_active").value_or(0), {1, 10, 50, 90}, "%"),
      {"utilization"}};
  active.hide = [](Panels& panels) {  // the memory in use and the utilization stay
    constexpr double last_known = 2.5;
    if (auto* const shares = picture_at<ScatterPicture>(panels, 0, 0))
      std::erase_if(shares->points, [](const ScatterPoint& point) { return point.x > last_known; });
  };
  return active;
}

constexpr Frame<Observe> observe_frame = {
    .subject = [](const Here& here) { return Observe(here.input); },
    .stop = "sm",
    .values = values_of,
    .complete = [](Observe& lab, const Narration::Values&, Stage& stage) { stage.controls = lab.controls.take(); }};

constexpr BeatOf<Observe> observe_beats[] = {
    {.key = "moment",
     .missing = no_observer_record,
     .facts = moment_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {instruments_panel(lab), meaning_panel(lab)}}};
     },
     .controls = moment_control},
    {.key = "percent",
     .missing = no_observer_record,
     .section = [](const Observe& lab) { return fmt::format("percent.{}", lab.moment_key()); },
     .facts = moment_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {percent_panel(lab, lab.progress())}}};
     },
     .controls = moment_control,
     .question = active_question},
    {.key = "memory",
     .missing = no_observer_record,
     .facts =
         [](const Observe& lab, FactWriter& facts) {
           instrument_facts(lab, {"allocated", "reserved", "used", "free", "utilization"}, facts);
         },
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {memory_panel(lab), memory_table(lab)}}, {0.4, {live_panel(lab)}}};
     },
     .controls = moment_control},
    {.key = "share",
     .missing = no_observer_record,
     .facts = share_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {duty_panel(lab, lab.progress())}}};
     },
     .controls = [](const Observe&) -> ControlNames {
       return {"kernel", "gap", "blocks"};
     }},
    {.key = "window",
     .missing = no_observer_record,
     .facts = window_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {window_panel(lab, lab.progress())}}};
     },
     .controls = [](const Observe&) -> ControlNames {
       return {"burst", "window", "offset"};
     }},
    {.key = "overhead",
     .missing = no_observer_record,
     .facts = overhead_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {overhead_panel(lab, lab.progress())}}, {1, {overhead_table(lab)}, true}};
     },
     .controls = moment_control},
    {.key = "tasks",
     .facts = share_facts,
     .panels = [](const Observe& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, Observe::name, tasks_of(lab))}, true},
               {1, {settings_panel(lab)}, true, true}};
     },
     .controls = [](const Observe&) -> ControlNames {
       return {"moment", "kernel", "gap", "blocks", "window"};
     }}};

}  // namespace

const Contents& observe_lab() {
  static const BeatTable table(Observe::name, observe_frame, observe_beats);
  return table;
}

}  // namespace warpwalk::story
