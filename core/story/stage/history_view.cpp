#include "core/story/stage/history_view.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/device_match.h"
#include "core/gpu/exec/program.h"
#include "core/records/hardware.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/elements/figure.h"

namespace warpwalk::story {

bool HistoryView::stand_in() const { return state == State::ready && history->stand_in; }

bool HistoryView::own() const { return state == State::ready && !history->stand_in; }

void HistoryView::take_timing() {
  timing = own() && travel != nullptr && !travel->timing().cut ? &travel->timing() : nullptr;
  no_timing = stand_in() ? "The stand-in is not the kernel whose time was recorded" : no_travel;
  if (own() && travel != nullptr && travel->timing().cut)
    no_timing = fmt::format("The launch issues {} warp instructions, so only its first cycles are simulated",
                            with_thousands(static_cast<std::int64_t>(history->simulation.counters.warp_instructions)));
}

std::optional<gpu::Device> simulated_device(const Trace& trace, const Walk& walk, const Hardware& hardware) {
  if (analysis::DeviceMatch match = analysis::device_of(trace, walk, hardware.devices); match.device)
    return std::move(match.device);
  const gpu::Device* const h200 = hardware.find("h200");
  return h200 == nullptr ? std::nullopt : std::optional(*h200);
}

std::string stand_in_text(const Narration& narration, const run::History& history) {
  using Difference = run::ReplacedOp::Difference;
  const run::ReplacedOp& replaced = history.replaced;
  std::string shapes;
  for (const std::vector<std::int64_t>& input : replaced.inputs) {
    const std::string shape =
        input.empty() ? narration.text("stand_in", "scalar") : fmt::format("{}", fmt::join(input, "x"));
    shapes = shapes.empty() ? shape : narration.text("stand_in", "by", {{"first", shapes}, {"second", shape}});
  }
  const char* const key = replaced.difference == Difference::none       ? "text"
                          : replaced.difference == Difference::number   ? "text.number"
                          : replaced.difference == Difference::division ? "text.division"
                                                                        : "text.addition";
  const std::string text = narration.text("stand_in", key,
                                          {{"kernel", history.entry},
                                           {"op", replaced.op},
                                           {"shapes", shapes},
                                           {"number", fmt::format("{}", run::stand_in_number)}});
  if (replaced.launches < 2) return text;
  return narration.text(
      "stand_in", "launch",
      {{"stand_in", text}, {"n", std::to_string(replaced.launch)}, {"of", std::to_string(replaced.launches)}});
}

std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view) {
  std::vector<trace::NamedCounter> counters;
  if (view.state != HistoryView::State::ready) return counters;
  const bool machine_code = view.history->program != nullptr && view.history->program->machine_code.has_value();
  for (const run::ReportCounter& counter : run::report_counters(view.history->simulation.counters, machine_code))
    counters.push_back({std::string(counter.name), static_cast<double>(counter.value), trace::Origin::simulated});
  if (view.timing == nullptr) return counters;
  // The history runs PTX, whose machine instructions are an estimate; the timing model runs the machine code if it is
  // there.
  for (trace::NamedCounter& counter : counters) {
    if (counter.name == "warp_instructions") counter.value = static_cast<double>(view.timing->warp_instructions);
    if (counter.name == "thread_instructions") counter.value = static_cast<double>(view.timing->thread_instructions);
  }
  for (run::CycleFigure& figure : run::cycle_figures(*view.timing))
    counters.push_back({std::move(figure.name), figure.value, trace::Origin::simulated});
  return counters;
}

}  // namespace warpwalk::story
