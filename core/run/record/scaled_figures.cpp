#include "core/run/record/scaled_figures.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

/// A figure, and the name of its counter.
struct ScaledFigure {
  std::string_view name;
  std::uint64_t ScaledFigures::*member;
};

constexpr ScaledFigure scaled_figure_names[] = {{"sampled_blocks_of", &ScaledFigures::blocks},
                                                {"sampled_blocks", &ScaledFigures::blocks_simulated},
                                                {"timed_blocks", &ScaledFigures::blocks_timed},
                                                {"timed_warp_instructions", &ScaledFigures::warp_instructions_timed},
                                                {"cycles_of_launch", &ScaledFigures::cycles_of}};

}  // namespace

std::vector<trace::NamedCounter> counters_of(const ScaledFigures& figures) {
  std::vector<trace::NamedCounter> counters;
  if (!figures.any()) return counters;
  for (const auto& [name, member] : scaled_figure_names)
    if (figures.*member != 0)
      counters.push_back({std::string(name), static_cast<double>(figures.*member), trace::Origin::simulated});
  return counters;
}

ScaledFigures scaled_figures(const trace::KernelRecord& record) {
  ScaledFigures figures;
  for (const auto& [name, member] : scaled_figure_names) {
    const auto counter = std::ranges::find(record.counters, name, &trace::NamedCounter::name);
    if (counter != record.counters.end() && counter->value > 0)
      figures.*member = static_cast<std::uint64_t>(counter->value);
  }
  return figures;
}

std::string describe(const ScaledFigures& figures) {
  std::string text;
  const auto add = [&](const std::string& part) { text += text.empty() ? part : "; " + part; };
  if (figures.blocks_simulated != 0)
    add(fmt::format("computed by the host; counters scaled from {} of {} blocks", figures.blocks_simulated,
                    figures.blocks));
  if (figures.blocks_timed != 0)
    add(fmt::format("cycles scaled from {} of {} blocks", figures.blocks_timed, figures.blocks));
  else if (figures.warp_instructions_timed != 0)
    add(fmt::format("cycles scaled from the first {} warp instructions", figures.warp_instructions_timed));
  if (figures.cycles_of != 0) add("cycles taken from an earlier launch like it");
  return text;
}

}  // namespace warpwalk::run
