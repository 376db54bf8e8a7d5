// Lab: warps against the use of the issue slots: one scheduler cycle by cycle, arithmetic and memory as measured, and
// Little's law for each.
#include "core/story/labs/latency_hiding/latency_hiding.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {
namespace {

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

LatencyHiding::LatencyHiding(const SceneInput& in) : input(in), device(described_gpu(in.hardware, gpu)) {
  load.warps = controls.slider("warps", steps_by(1, static_cast<double>(places()), 1), 8, "example");
  load.independent = controls.slider("independent", steps_growing(1, 8), 1, "example");
  load.latency = controls.slider("latency", steps_growing(2, 32), 16, "example", "cycles");
}

std::string LatencyHiding::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

const records::LabRun* LatencyHiding::run(std::string_view kernel, std::int64_t warps) const {
  return find_run(input.hardware.lab_runs, fmt::format("{}_{}", kernel, warps), gpu);
}

bool LatencyHiding::recorded() const {
  return std::ranges::all_of(counts, [&](std::int64_t warps) {
    return std::ranges::all_of(
        std::initializer_list<std::string_view>{"fma_chain", "fma_four_chains", "read_one", "read_four"},
        [&](std::string_view kernel) {
          const records::LabRun* const one = run(kernel, warps);
          return one != nullptr && one->active.measured && one->issued.measured;
        });
  });
}

namespace {

std::vector<Task> tasks_of(const LatencyHiding& lab) {
  const WarpLoad& load = lab.load;
  const double rate = issue_rate(load);
  return {{"exact", load.latency == 32 && load.independent > 1 && load.warps == lab.enough()},
          {"two", rate == 1 && load.warps <= 2 && load.latency >= 16},
          {"quarter", rate == 0.25},
          {"useless", load.warps == lab.places() && load.warps >= 2 * lab.enough() && load.latency >= 8},
          {"impossible", load.warps == lab.places() && rate < 1}};
}

Narration::Values latency_hiding_values(const LatencyHiding& lab) {
  const Narration& narration = lab.input.narration;
  const auto issued = [&](std::string_view kernel, std::int64_t warps) {
    const records::LabRun* const run = lab.run(kernel, warps);
    return run == nullptr ? std::string("–") : whole_percent(run->issued.measured.value_or(0) / 100);
  };
  const auto active = [&](std::string_view kernel, std::int64_t warps) {
    const records::LabRun* const run = lab.run(kernel, warps);
    return run == nullptr ? 1.0 : run->active.measured.value_or(1);
  };
  return {{"warps", count_text(narration, "warp", lab.load.warps)},
          {"latency", count_text(narration, "cycle", lab.load.latency)},
          {"independent", fmt::to_string(lab.load.independent)},
          {"rate", whole_percent(issue_rate(lab.load))},
          {"enough", count_text(narration, "warp", lab.enough())},
          {"alu", count_text(narration, "cycle", *lab.device.latency_alu)},
          {"one_1", issued("fma_chain", 1)},
          {"four_1", issued("fma_four_chains", 1)},
          {"one_8", issued("fma_chain", 8)},
          {"read_times", with_marks(fmt::format("{:.1f}", active("read_one", 1) / active("read_one", 8)))},
          {"four_times", with_marks(fmt::format("{:.1f}", active("read_one", 1) / active("read_four", 1)))},
          {"memory", count_text(narration, "cycle", *lab.device.latency_memory)},
          {"needed", bytes_text(lab.bandwidth() * static_cast<double>(*lab.device.latency_memory))},
          {"places", fmt::to_string(lab.places())}};
}

void load_facts(const LatencyHiding& lab, FactWriter& facts) {
  facts.counted("in_flight", static_cast<std::size_t>(lab.load.warps * lab.load.independent));
  facts.derived("rate", 100 * issue_rate(lab.load), Unit::percent);
  facts.counted("enough", static_cast<std::size_t>(lab.enough()));
}

void arithmetic_facts(const LatencyHiding& lab, FactWriter& facts) {
  facts.fact("alu", figure_of(lab.device.latency_alu));
  facts.counted("enough_alu", static_cast<std::size_t>(enough_warps(1, *lab.device.latency_alu)));
}

void memory_facts(const LatencyHiding& lab, FactWriter& facts) {
  facts.derived("needed", lab.bandwidth() * static_cast<double>(*lab.device.latency_memory), Unit::bytes);
  facts.derived("one", lab.in_flight(lab.places(), 1), Unit::bytes);
  facts.derived("four", lab.in_flight(lab.places(), 4), Unit::bytes);
}

std::optional<MissingData> unrecorded(const LatencyHiding& lab) {
  return lab.recorded() ? std::nullopt : std::optional<MissingData>{{"runs"}};
}

PanelRows arithmetic_panels(const LatencyHiding& lab) {
  return {{5, {issue_panel(lab)}}, {2, {issue_table(lab)}, true}};
}

PanelRows memory_panels(const LatencyHiding& lab) { return {{5, {memory_panel(lab)}}, {2, {memory_table(lab)}, true}}; }

PanelRows law_panels(const LatencyHiding& lab) {
  PanelRows rows = {{1, {law_panel(lab)}, true}, {1, {}}};
  for (const LatencyHiding::Resource& resource : lab.resources())
    rows.back().panels.push_back(places_panel(lab, resource));
  return rows;
}

std::optional<Ask> enough_question(const LatencyHiding& lab) {
  Ask enough{"enough",
             fmt::format("{} {}", lab.load.independent, lab.load.latency),
             number_options(lab.input.narration, "warp", lab.enough(), {}),
             {}};
  enough.before = [&lab](Stage& asking) {
    asking.picture = std::make_shared<const Panels>(
        Panels{{{1, {schedule_panel(lab, {1, lab.load.independent, lab.load.latency}, 0.55)}}}});
  };
  return enough;
}

constexpr Frame<LatencyHiding> latency_frame = {.subject = [](const Here& here) { return LatencyHiding(here.input); },
                                                .stop = "schedulers",
                                                .values = latency_hiding_values,
                                                .complete = take_controls};

constexpr BeatOf<LatencyHiding> latency_beats[] = {
    {.key = "slots",
     .facts = load_facts,
     .panels = [](const LatencyHiding& lab) -> PanelRows {
       return {{3, {schedule_panel(lab, lab.load, part(lab.input.moment.phase, 0.05, 0.9))}}, {2, {rate_chart(lab)}}};
     },
     .question = enough_question},
    {.key = "arithmetic",
     .missing = unrecorded,
     .facts = arithmetic_facts,
     .panels = arithmetic_panels,
     .controls = no_controls},
    {.key = "memory", .missing = unrecorded, .facts = memory_facts, .panels = memory_panels, .controls = no_controls},
    {.key = "law",
     .facts = [](const LatencyHiding& lab,
                 FactWriter& facts) { facts.counted("places", static_cast<std::size_t>(lab.places())); },
     .panels = law_panels,
     .controls = no_controls},
    {.key = "tasks", .facts = load_facts, .panels = [](const LatencyHiding& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, LatencyHiding::name, tasks_of(lab))}, true}, {1, {rate_panel(lab)}, true}};
     }}};

}  // namespace

const Contents& latency_hiding_lab() {
  static const BeatTable table(LatencyHiding::name, latency_frame, latency_beats);
  return table;
}

}  // namespace warpwalk::story
