// Lab: one core built for latency against many built for throughput, on the same work; the same grid on more SMs.
#include "core/story/labs/why_gpus/why_gpus.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

double all_cores_ns(const records::CoreTimes& times) { return times.all_cores.value_or(times.one_core); }
double best_cpu_ns(const records::CoreTimes& times) { return std::min(times.one_core, all_cores_ns(times)); }

std::string span_text(double ns) { return ns < 99.95 ? with_marks(fmt::format("{:.1f} ns", ns)) : time_text(ns); }

WhyGpus::WhyGpus(const SceneInput& in) : input(in) {
  for (const records::CoreTimes& one : in.hardware.core_times) {
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
                       [&](const records::CoreTimes& one) { return one.work == work; });
  if (!series.empty()) {
    std::vector<double> sizes;
    for (const records::CoreTimes& one : series) sizes.push_back(one.size);
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
  return word("n_times",
              {{"n", times >= 9.95 ? with_thousands(std::llround(times)) : with_marks(fmt::format("{:.1f}", times))}});
}

double WhyGpus::ns_alone(bool gpu) const {
  const auto of = [&](const records::CoreTimes& one) { return gpu ? one.gpu : one.one_core; };
  return static_cast<double>(steps) * of(*chain) + static_cast<double>(loads) * of(*chases.back());
}

double WhyGpus::crossover() const {
  double from = series.back().size;
  for (std::size_t i = series.size(); i-- > 0 && series[i].gpu < best_cpu_ns(series[i]);) from = series[i].size;
  return from;
}

double WhyGpus::cycles(std::string_view gpu, int blocks) const {
  const records::LabRun* const run = find_run(input.hardware.lab_runs, fmt::format("{}_{}", work, blocks), gpu);
  return run == nullptr ? 0 : run->cycles.simulated.value_or(0);
}

double WhyGpus::speedup(int blocks) const { return cycles(parts[0], blocks) / std::max(1.0, cycles(parts[2], blocks)); }

std::int64_t WhyGpus::sms(std::string_view gpu) const {
  const gpu::Device* const device = input.hardware.find(gpu);
  return device == nullptr ? 0 : *device->sm_count;
}

namespace {

std::vector<Task> tasks_of(const WhyGpus& lab) {
  const records::CoreTimes& here = lab.series[lab.at];
  const double all = all_cores_ns(here);
  return {{"core_wins", here.one_core < all && here.one_core < here.gpu && here.size >= 1000},
          {"cores_win", all < here.one_core && all < here.gpu},
          {"crossover", lab.work == "saxpy" && here.size == lab.crossover()},
          {"hundred", all > 50 * here.gpu},
          {"flat", lab.at > 0 && here.size >= 16384 && here.gpu < 1.1 * lab.series.front().gpu}};
}

using WhyGpusBeat = BeatOf<WhyGpus>;

// How much of a motion has been shown, 0 to 1.
double shown_of(const WhyGpus& lab) { return part(lab.input.moment.phase, 0.05, 0.9); }

std::string winner_text(const WhyGpus& lab) {
  const records::CoreTimes& chosen = lab.series[lab.at];
  return lab.word(chosen.gpu < best_cpu_ns(chosen)          ? "gpu_wins"
                  : chosen.one_core <= all_cores_ns(chosen) ? "core_wins"
                                                            : "cores_win");
}

Narration::Values values_of(const WhyGpus& lab) {
  Narration::Values values;
  const auto set = [&](const char* key, std::string text) { values[key] = std::move(text); };
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(lab.input.narration, thing, n); };
  if (lab.recorded()) {
    set("elements", count("element", std::llround(lab.series[lab.at].size)));
    set("ratio", lab.times_text(lab.chain->gpu / lab.chain->one_core));
    set("winner", winner_text(lab));
    set("crossover", count("element", std::llround(lab.crossover())));
    set("launch", span_text(lab.series.front().gpu));
  }
  if (lab.simulated()) {
    set("blocks", count("block", lab.grid));
    set("speedup", lab.times_text(lab.speedup(lab.grid)));
    set("sms", fmt::to_string(lab.sms(WhyGpus::parts[2])));
    set("few", fmt::to_string(lab.sms(WhyGpus::parts[0])));
  }
  return values;
}

void alone_facts(const WhyGpus& lab, FactWriter& facts) {
  facts.derived("core_alone", span_text(lab.ns_alone(false)));
  facts.derived("gpu_alone", span_text(lab.ns_alone(true)));
}

void work_facts(const WhyGpus& lab, FactWriter& facts) {
  const auto measured = [&](std::string_view key, double ns) {
    facts.fact(key, Figure::recorded(span_text(ns), Origin::measured));
  };
  const records::CoreTimes& chosen = lab.series[lab.at];
  facts.derived("fastest", winner_text(lab));
  measured("core", chosen.one_core);
  measured("cores", all_cores_ns(chosen));
  measured("gpu", chosen.gpu);
  facts.derived("times", lab.times_text(best_cpu_ns(chosen) / chosen.gpu));
}

void sms_facts(const WhyGpus& lab, FactWriter& facts) {
  for (const std::string_view gpu : WhyGpus::parts)
    facts.named(lab.word("n_sms", {{"n", fmt::to_string(lab.sms(gpu))}}),
                Figure::recorded(lab.word("n_cycles", {{"n", with_thousands(std::llround(lab.cycles(gpu, lab.grid)))}}),
                                 Origin::simulated));
  facts.derived("speedup", lab.times_text(lab.speedup(lab.grid)));
}

std::optional<Ask> crossover_question(const WhyGpus& lab) {
  Ask crossover{
      "crossover", lab.work, range_options(lab.input.narration, lab.crossover(), {100, 1000, 10000, 100000}, ""), {}};
  crossover.hide = [](Panels& panels) {  // the times of the CPU stay
    if (auto* const times = picture_at<ScatterPicture>(panels, 0, 0)) {
      times->lines.clear();
      hide_group(*times, times->groups.size() - 1);
    }
  };
  return crossover;
}

std::optional<MissingData> missing_times(const WhyGpus& lab) {
  return lab.recorded() ? std::nullopt : std::optional(MissingData{"times"});
}

std::optional<MissingData> missing_runs(const WhyGpus& lab) {
  return lab.simulated() ? std::nullopt : std::optional(MissingData{"runs"});
}

constexpr Frame<WhyGpus> why_gpus_frame = {.subject = [](const Here& here) { return WhyGpus(here.input); },
                                           .stop = "grid",
                                           .values = values_of,
                                           .complete = take_controls};

ControlNames work_controls(const WhyGpus&) { return {"work", "elements"}; }

constexpr WhyGpusBeat why_gpus_beats[] = {
    {.key = "alone",
     .missing = missing_times,
     .facts = alone_facts,
     .panels = [](const WhyGpus& lab) -> PanelRows {
       return {{1, {alone_panel(lab, shown_of(lab))}}, {1, {alone_table(lab)}, true}};
     },
     .controls = [](const WhyGpus&) -> ControlNames {
       return {"steps", "loads"};
     }},
    {.key = "design",
     .panels = [](const WhyGpus& lab) -> PanelRows {
       return {{1, {design_panel(lab)}, true}, {1, {places_panel(lab, false), places_panel(lab, true)}}};
     },
     .controls = no_controls},
    {.key = "work",
     .missing = missing_times,
     .facts = work_facts,
     .panels = [](const WhyGpus& lab) -> PanelRows {
       return {{1, {work_panel(lab, shown_of(lab))}}};
     },
     .controls = work_controls,
     .question = crossover_question},
    {.key = "sms",
     .missing = missing_runs,
     .facts = sms_facts,
     .panels = [](const WhyGpus& lab) -> PanelRows {
       return {{1, {sms_panel(lab)}}, {1, {sms_table(lab)}, true}};
     },
     .controls = [](const WhyGpus&) -> ControlNames {
       return {"work", "blocks"};
     }},
    {.key = "tasks",
     .missing = missing_times,
     .facts = work_facts,
     .panels = [](const WhyGpus& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, WhyGpus::name, tasks_of(lab))}, true}, {1, {work_table(lab)}, true}};
     },
     .controls = work_controls}};

}  // namespace

const Contents& why_gpus_lab() {
  static const BeatTable table(WhyGpus::name, why_gpus_frame, why_gpus_beats);
  return table;
}

}  // namespace warpwalk::story
