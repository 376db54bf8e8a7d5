// Lab: what instruments see of a GPU: capacity is not utilization, and utilization is not occupancy.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
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

void set_picture(const Observe& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  if (beat == "moment")
    panels.rows = {{1, {instruments_panel(lab), meaning_panel(lab)}}};
  else if (beat == "percent")
    panels.rows = {{1, {percent_panel(lab, shown)}}};
  else if (beat == "memory")
    panels.rows = {{1, {memory_panel(lab), memory_table(lab)}}, {0.4, {live_panel(lab)}}};
  else if (beat == "share")
    panels.rows = {{1, {duty_panel(lab, shown)}}};
  else if (beat == "window")
    panels.rows = {{1, {window_panel(lab, shown)}}};
  else if (beat == "overhead")
    panels.rows = {{1, {overhead_panel(lab, shown)}}, {1, {overhead_table(lab)}, true}};
  else
    panels.rows = {{1, {tasks_panel(lab.input, Observe::name, tasks_of(lab))}, true},
                   {1, {settings_panel(lab)}, true, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

void add_facts(const Observe& lab, std::string_view beat, FactWriter& facts) {
  const auto measured = [&](std::string_view key) {
    if (auto figure = lab.figure(lab.moment_key(), Observe::find(key))) facts.fact(key, std::move(*figure));
  };
  const GpuShare gpu = lab.gpu();
  const double share = 100 * lab.duty.share();
  if (beat == "moment" || beat == "percent") {
    for (const std::string_view key : {"utilization", "sm_active", "occupancy", "bandwidth", "power"}) measured(key);
    const auto kernel = lab.record->text(lab.moment_key(), "profiler", "kernel");
    if (!kernel.empty()) {
      facts.fact("kernel", Figure::recorded(std::string(kernel), Origin::measured));
      facts.fact("blocks", Figure::recorded(lab.record->number(lab.moment_key(), "profiler", "grid").value_or(0),
                                            Unit::count, Origin::measured));
      facts.fact("length",
                 Figure::recorded(1000 * lab.record->number(lab.moment_key(), "profiler", "mean_us").value_or(0),
                                  Unit::nanoseconds, Origin::measured));
    }
  } else if (beat == "memory") {
    for (const std::string_view key : {"allocated", "reserved", "used", "free", "utilization"}) measured(key);
  } else if (beat == "share" || beat == "tasks") {
    facts.derived("utilization_derived", percent_text(share));
    facts.derived("sms_derived", percent_text(share * gpu.sms));
    facts.derived("occupancy_derived", percent_text(share * gpu.occupancy));
  } else if (beat == "window") {
    const auto [kernel, gap] = Observe::bursts[lab.burst];
    facts.derived("share_derived", percent_text(100 * kernel / (kernel + gap)));
    for (const MeasuredDuty& one : measured_duties(*lab.record)) {
      if (one.kernel_us != kernel || one.gap_us != gap) continue;
      facts.derived("mean_reading", percent_text(one.utilization()));
      if (const auto ms = one.renewed()) facts.derived("renewed", *ms * 1e6, Unit::nanoseconds);
    }
  } else if (beat == "overhead") {
    if (const auto seconds = lab.record->number(lab.moment_key(), "smi", "seconds"))
      facts.fact("smi_time", Figure::recorded(*seconds * 1e9, Unit::nanoseconds, Origin::measured));
    const auto alone = lab.record->number(lab.moment_key(), "profiler", "mean_us");
    const auto under = lab.record->number(lab.moment_key(), "ncu", "duration_ns");
    if (alone && under) {
      facts.fact("length", Figure::recorded(*alone * 1000, Unit::nanoseconds, Origin::measured));
      facts.fact("length_ncu", Figure::recorded(*under, Unit::nanoseconds, Origin::measured));
    }
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
      {"window", fmt::format("{:g} ms", lab.window)}};
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
  values["slower"] = off && on ? fmt::format("{:.1f}", *off / *on) : "?";
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

}  // namespace

std::vector<Beat> observe_beats(const Trace&, const Walk&) {
  return {{"moment", 0}, {"percent", 0}, {"memory", 0}, {"share", 0}, {"window", 0}, {"overhead", 0}, {"tasks", 0}};
}

Stage observe_lab(const SceneInput& input) {
  Observe lab(input);
  std::vector<Beat> beats = observe_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  const bool missing = lab.record == nullptr && beat != "tasks";
  if (missing)
    here.key = "none";
  else if (beat == "percent")
    here.key = fmt::format("percent.{}", lab.moment_key());
  const Narration::Values values = values_of(lab);
  Stage stage = common_stage(input, Observe::name, beats, values, "sm");
  FactWriter facts(input, values, stage);
  if (missing) {
    facts.missing("record");
  } else {
    add_facts(lab, beat, facts);
    set_picture(lab, beat, part(input.moment.phase, 0.05, 0.95), stage);
  }
  stage.controls = lab.controls.take();
  if (beat == "moment" || beat == "percent" || beat == "memory" || beat == "overhead") keep_controls(stage, {"moment"});
  if (beat == "share") keep_controls(stage, {"kernel", "gap", "blocks"});
  if (beat == "window") keep_controls(stage, {"burst", "window", "offset"});
  if (beat == "tasks") keep_controls(stage, {"moment", "kernel", "gap", "blocks", "window"});
  if (beat == "percent" && !missing) {
    Ask active{
        "active",
        std::string(lab.moment_key()),
        range_options(input.narration, lab.percent(lab.moment_key(), "sm_active").value_or(0), {1, 10, 50, 90}, "%"),
        {"utilization"}};
    active.hide = [](Panels& panels) {  // the memory in use and the utilization stay
      constexpr double last_known = 2.5;
      if (auto* const shares = picture_at<ScatterPicture>(panels, 0, 0))
        std::erase_if(shares->points, [](const ScatterPoint& point) { return point.x > last_known; });
    };
    ask(input, values, active, stage);
  }
  return stage;
}

}  // namespace warpwalk::story
