// Lab: one core built for latency against many built for throughput, on the same work; the same grid on more SMs.
#include "core/story/labs/why_gpus/why_gpus.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/pictures/hide.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {

double all_cores_ns(const CoreTimes& times) { return times.all_cores.value_or(times.one_core); }
double best_cpu_ns(const CoreTimes& times) { return std::min(times.one_core, all_cores_ns(times)); }

std::string span_text(double ns) { return ns < 99.95 ? fmt::format("{:.1f} ns", ns) : time_text(ns); }

WhyGpus::WhyGpus(const SceneInput& in) : input(in) {
  for (const CoreTimes& one : in.hardware.core_times) {
    if (one.work == "chain") chain = &one;
    if (one.work == "chase") chases.push_back(&one);
  }
  steps = controls.slider("steps", steps_by(0, 256, 16), 128, "example");
  loads = controls.slider("loads", steps_by(0, 4, 1), 1, "example");
  static constexpr std::string_view works[] = {"busy", "saxpy"};
  std::vector<std::string> names;
  for (const std::string_view one : works) names.push_back(word(one));
  work = works[controls.choice("work", names, 0, "example")];
  std::ranges::copy_if(in.hardware.core_times, std::back_inserter(series),
                       [&](const CoreTimes& one) { return one.work == work; });
  if (!series.empty()) {
    std::vector<double> sizes;
    for (const CoreTimes& one : series) sizes.push_back(one.size);
    const std::int64_t size =
        controls.slider("elements", sizes, static_cast<std::int64_t>(sizes[sizes.size() / 2]), "example");
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (std::llround(sizes[i]) == size) at = i;
  }
  std::vector<std::string> blocks;
  for (const int one : grids) blocks.push_back(with_thousands(one));
  grid = grids[controls.choice("blocks", blocks, 2, "example")];
}

std::string WhyGpus::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::string WhyGpus::times_text(double times) const {
  return word("n_times", {{"n", times >= 9.95 ? with_thousands(std::llround(times)) : fmt::format("{:.1f}", times)}});
}

double WhyGpus::ns_alone(bool gpu) const {
  const auto of = [&](const CoreTimes& one) { return gpu ? one.gpu : one.one_core; };
  return static_cast<double>(steps) * of(*chain) + static_cast<double>(loads) * of(*chases.back());
}

double WhyGpus::crossover() const {
  double from = series.back().size;
  for (std::size_t i = series.size(); i-- > 0 && series[i].gpu < best_cpu_ns(series[i]);) from = series[i].size;
  return from;
}

double WhyGpus::cycles(std::string_view gpu, int blocks) const {
  const LabRun* const run = find_run(input.hardware.lab_runs, fmt::format("{}_{}", work, blocks), gpu);
  return run == nullptr ? 0 : run->cycles.simulated.value_or(0);
}

double WhyGpus::speedup(int blocks) const { return cycles(parts[0], blocks) / std::max(1.0, cycles(parts[2], blocks)); }

std::int64_t WhyGpus::sms(std::string_view gpu) const {
  const gpu::Device* const device = input.hardware.find(gpu);
  return device == nullptr ? 0 : *device->sm_count;
}

namespace {

std::vector<Task> tasks_of(const WhyGpus& lab) {
  const CoreTimes& here = lab.series[lab.at];
  const double all = all_cores_ns(here);
  return {{"core_wins", here.one_core < all && here.one_core < here.gpu && here.size >= 1000},
          {"cores_win", all < here.one_core && all < here.gpu},
          {"crossover", lab.work == "saxpy" && here.size == lab.crossover()},
          {"hundred", all > 50 * here.gpu},
          {"flat", lab.at > 0 && here.size >= 16384 && here.gpu < 1.1 * lab.series.front().gpu}};
}

void set_picture(const WhyGpus& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  if (beat == "alone")
    panels.rows = {{1, {alone_panel(lab, shown)}}, {1, {alone_table(lab)}, true}};
  else if (beat == "design")
    panels.rows = {{1, {design_panel(lab)}, true}, {1, {places_panel(lab, false), places_panel(lab, true)}}};
  else if (beat == "work")
    panels.rows = {{1, {work_panel(lab, shown)}}};
  else if (beat == "sms")
    panels.rows = {{1, {sms_panel(lab)}}, {1, {sms_table(lab)}, true}};
  else
    panels.rows = {{1, {tasks_panel(lab.input, WhyGpus::name, tasks_of(lab))}, true}, {1, {work_table(lab)}, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

}  // namespace

std::vector<Beat> why_gpus_beats(const Trace&, const Walk&) {
  return {{"alone", 0}, {"design", 0}, {"work", 0}, {"sms", 0}, {"tasks", 0}};
}

Stage why_gpus(const SceneInput& input) {
  WhyGpus lab(input);
  std::vector<Beat> beats = why_gpus_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  const bool simulated = lab.cycles(WhyGpus::parts[0], lab.grid) > 0;
  const bool missing = beat == "sms" ? !simulated : beat != "design" && !lab.recorded();
  if (missing) here.key = "none";
  Narration::Values values;
  const auto set = [&](const char* key, std::string text) { values[key] = std::move(text); };
  if (lab.recorded()) {
    const CoreTimes& chosen = lab.series[lab.at];
    const bool gpu_wins = chosen.gpu < best_cpu_ns(chosen);
    set("elements", count_text(input.narration, "element", std::llround(chosen.size)));
    set("ratio", lab.times_text(lab.chain->gpu / lab.chain->one_core));
    set("winner", lab.word(gpu_wins                                  ? "gpu_wins"
                           : chosen.one_core <= all_cores_ns(chosen) ? "core_wins"
                                                                     : "cores_win"));
    set("crossover", count_text(input.narration, "element", std::llround(lab.crossover())));
    set("launch", span_text(lab.series.front().gpu));
  }
  if (simulated) {
    set("blocks", count_text(input.narration, "block", lab.grid));
    set("speedup", lab.times_text(lab.speedup(lab.grid)));
    set("sms", fmt::to_string(lab.sms(WhyGpus::parts[2])));
    set("few", fmt::to_string(lab.sms(WhyGpus::parts[0])));
  }
  Stage stage = common_stage(input, WhyGpus::name, beats, values, "grid");
  FactWriter facts(input, values, stage);
  const auto measured = [&](std::string_view key, double ns) {
    facts.fact(key, Figure::recorded(span_text(ns), Origin::measured));
  };
  if (missing) {
    facts.missing(beat == "sms" ? "runs" : "times");
  } else if (beat == "alone") {
    facts.derived("core_alone", span_text(lab.ns_alone(false)));
    facts.derived("gpu_alone", span_text(lab.ns_alone(true)));
  } else if (beat == "work" || beat == "tasks") {
    const CoreTimes& chosen = lab.series[lab.at];
    facts.derived("fastest", values.at("winner"));
    measured("core", chosen.one_core);
    measured("cores", all_cores_ns(chosen));
    measured("gpu", chosen.gpu);
    facts.derived("times", lab.times_text(best_cpu_ns(chosen) / chosen.gpu));
  } else if (beat == "sms") {
    for (const std::string_view gpu : WhyGpus::parts)
      facts.named(
          lab.word("n_sms", {{"n", fmt::to_string(lab.sms(gpu))}}),
          Figure::recorded(lab.word("n_cycles", {{"n", with_thousands(std::llround(lab.cycles(gpu, lab.grid)))}}),
                           Origin::simulated));
    facts.derived("speedup", lab.times_text(lab.speedup(lab.grid)));
  }
  if (!missing) set_picture(lab, beat, part(input.moment.phase, 0.05, 0.9), stage);
  stage.controls = lab.controls.take();
  if (beat == "alone") keep_controls(stage, {"steps", "loads"});
  if (beat == "design") keep_controls(stage, {});
  if (beat == "work" || beat == "tasks") keep_controls(stage, {"work", "elements"});
  if (beat == "sms") keep_controls(stage, {"work", "blocks"});
  if (beat == "work" && !missing) {
    Ask crossover{
        "crossover", lab.work, range_options(input.narration, lab.crossover(), {100, 1000, 10000, 100000}, ""), {}};
    crossover.hide = [](Panels& panels) {  // the times of the CPU stay
      if (auto* const times = picture_at<ScatterPicture>(panels, 0, 0)) {
        times->lines.clear();
        hide_group(*times, times->groups.size() - 1);
      }
    };
    ask(input, values, crossover, stage);
  }
  return stage;
}

}  // namespace warpwalk::story
