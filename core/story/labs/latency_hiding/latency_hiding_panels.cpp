// Pictures of the lab "latency-hiding".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/launch/device_parameter.h"
#include "core/story/labs/latency_hiding/latency_hiding.h"
#include "core/story/pictures/size_axis.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view arithmetic[] = {"fma_chain", "fma_four_chains"};
constexpr std::string_view reads[] = {"read_one", "read_four"};
constexpr std::int64_t per_warp[] = {1, 4};  ///< chains or loads of these kernels

// Measured and simulated points of two kernels. `point` gives x, y and the text for a launch and one of the figures.
template <class Point>
void add_runs(const LatencyHiding& lab, const std::string_view (&kernels)[2], ScatterPicture& picture, Point point) {
  static constexpr Tone tones[2][2] = {{Tone::work, Tone::memory}, {Tone::shared, Tone::host}};
  for (std::size_t kernel = 0; kernel < 2; ++kernel)
    for (const bool simulated : {false, true}) {
      const std::size_t group = picture.groups.size();
      picture.groups.push_back({lab.word(fmt::format("{}_{}", kernels[kernel], simulated ? "simulated" : "measured")),
                                tones[kernel][simulated ? 1 : 0]});
      for (const std::int64_t warps : LatencyHiding::counts) {
        const records::LabRun* const run = lab.run(kernels[kernel], warps);
        if (run == nullptr) continue;
        if (std::optional<ScatterPoint> made = point(*run, warps, per_warp[kernel], simulated)) {
          made->group = group;
          made->name = count_text(lab.input.narration, "warp", warps);
          picture.points.push_back(std::move(*made));
        }
      }
    }
}

std::optional<double> of(const records::BothWays& figure, bool simulated) {
  return simulated ? figure.simulated : figure.measured;
}

// Bytes per cycle from GPU memory, while blocks are resident.
std::optional<double> rate_of(const records::LabRun& run, bool simulated) {
  const auto bytes = of(run.dram, simulated), cycles = of(run.active, simulated);
  if (!bytes || !cycles || *cycles <= 0) return std::nullopt;
  return *bytes / *cycles;
}

// A column for each number of warps.
TablePicture table_by_warps(const LatencyHiding& lab) {
  TablePicture table;
  table.columns = {{lab.word("warps_axis"), 2.4}};
  for (const std::int64_t warps : LatencyHiding::counts) table.columns.push_back({fmt::to_string(warps), 1.1, true});
  return table;
}

// Instructions of a warp per cycle and scheduler, of a unit that gives bytes.
double loads_per_cycle(const gpu::Device& device, double bytes_per_cycle) {
  return bytes_per_cycle / (4 * static_cast<double>(*device.threads_per_warp)) /
         static_cast<double>(*device.sub_partitions);
}

std::string rounded_text(double value) {
  return value < 10 ? with_marks(fmt::format("{:.3g}", value)) : with_thousands(std::llround(value));
}

}  // namespace

double LatencyHiding::Resource::needed() const { return rate * static_cast<double>(**latency); }

std::int64_t LatencyHiding::Resource::warps(std::int64_t independent) const {
  // The tolerance keeps a whole number from being rounded up because of the division's rounding error.
  return static_cast<std::int64_t>(std::ceil(needed() / static_cast<double>(independent) - 1e-9));
}

Panel schedule_panel(const LatencyHiding& lab, const WarpLoad& load, double shown) {
  RasterPicture picture;
  picture.to = static_cast<std::int64_t>(LatencyHiding::cycles);
  picture.states = {{Tone::work, false, false, lab.word("issues")},
                    {Tone::shared, true, false, lab.word("ready")},
                    {Tone::quiet, true, false, lab.word("waits")},
                    {Tone::refused, true, false, lab.word("empty")}};
  picture.word_cycle = lab.word("cycle");
  picture.word_rows = lab.word("warp");
  picture.word_axis = lab.word("cycle");
  const auto until = static_cast<std::int64_t>(std::ceil(shown * static_cast<double>(LatencyHiding::cycles)));
  const auto states = warp_schedule(load, LatencyHiding::cycles);
  const auto add = [&](RasterRow& row, std::int64_t cycle, std::size_t state) {
    if (!row.spans.empty() && row.spans.back().state == state)
      row.spans.back().to = cycle + 1;
    else
      row.spans.push_back({cycle, cycle + 1, state, {}});
  };
  RasterGroup& slots = picture.groups.emplace_back();
  slots.name = lab.word("scheduler");
  RasterRow& slot = slots.rows.emplace_back();
  slot.label = lab.word("slot");
  RasterGroup& warps = picture.groups.emplace_back();
  warps.name = lab.word("warps");
  for (std::size_t w = 0; w < states.size(); ++w) {
    RasterRow& row = warps.rows.emplace_back();
    row.label = fmt::to_string(w);
    row.followed = w == 0;
  }
  for (std::int64_t cycle = 0; cycle < until; ++cycle) {
    bool used = false;
    for (std::size_t w = 0; w < states.size(); ++w) {
      const WarpCycle state = states[w][static_cast<std::size_t>(cycle)];
      used = used || state == WarpCycle::issues;
      add(warps.rows[w], cycle, state == WarpCycle::issues ? 0 : state == WarpCycle::ready ? 1 : 2);
    }
    add(slot, cycle, used ? 0 : 3);
  }
  if (until < picture.to) picture.now = until;
  return {"", 1, std::move(picture)};
}

// Warps against the used issue slots, for the settings.
Panel rate_chart(const LatencyHiding& lab) {
  ChartPicture chart;
  chart.label = lab.word("rate_axis_warps");
  chart.tip = lab.word("law_formula");
  chart.control = fmt::format("{}.warps", LatencyHiding::name);
  chart.stops = steps_by(1, static_cast<double>(lab.places()), 1);
  chart.from = 0.5;
  chart.to = static_cast<double>(lab.places()) + 0.5;
  for (const double warps : chart.stops) {
    WarpLoad load = lab.load;
    load.warps = static_cast<std::int64_t>(warps);
    chart.steps.push_back({warps - 0.5, warps + 0.5, 100 * issue_rate(load)});
    if (load.warps == 1 || load.warps % 4 == 0) chart.ticks.emplace_back(warps, fmt::to_string(load.warps));
  }
  chart.top = 110;
  for (const int level : {0, 50, 100}) chart.levels.emplace_back(level, fmt::to_string(level));
  chart.here = {static_cast<double>(lab.load.warps), 100 * issue_rate(lab.load),
                fmt::format("{:.0f} %", 100 * issue_rate(lab.load))};
  return {"", 1, std::move(chart)};
}

Panel issue_panel(const LatencyHiding& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("warps_axis"), 0, 17, false, {}};
  for (const std::int64_t warps : LatencyHiding::counts)
    picture.across.ticks.emplace_back(static_cast<double>(warps), fmt::to_string(warps));
  picture.up = {lab.word("issue_axis"), 0, 110, false, {{0, "0"}, {25, "25"}, {50, "50"}, {75, "75"}, {100, "100"}}};
  const auto latency = static_cast<double>(*lab.device.latency_alu);
  picture.lines = {{{0, 0}, {latency, 100}, {}, false}, {{latency, 100}, {17, 100}, lab.word("law_one"), false}};
  add_runs(
      lab, arithmetic, picture,
      [&](const records::LabRun& run, std::int64_t warps, std::int64_t, bool simulated) -> std::optional<ScatterPoint> {
        const std::optional<double> issued = of(run.issued, simulated);
        if (!issued) return std::nullopt;
        return ScatterPoint{static_cast<double>(warps), *issued, 0, {}, fmt::format("{:.0f} %", *issued), false};
      });
  return {"", 1, std::move(picture)};
}

Panel issue_table(const LatencyHiding& lab) {
  TablePicture table = table_by_warps(lab);
  const auto row = [&](std::string_view key, auto cell) {
    TableRow& made = table.rows.emplace_back();
    made.cells.push_back(word_cell(lab.word(key)));
    for (const std::int64_t warps : LatencyHiding::counts) made.cells.push_back(cell(warps));
  };
  const auto measured = [&](std::string_view kernel) {
    return [&lab, kernel](std::int64_t warps) {
      const records::LabRun* const run = lab.run(kernel, warps);
      return figure_cell(Figure::recorded(*run->issued.measured, Unit::percent, Origin::measured));
    };
  };
  row("one_law", [&](std::int64_t warps) {
    return figure_cell(
        Figure::derived(100 * issue_rate({warps, 1, *lab.device.latency_alu}), Unit::percent, lab.word("law_formula")));
  });
  row("fma_chain_measured", measured(arithmetic[0]));
  row("fma_four_chains_measured", measured(arithmetic[1]));
  return {"", 1, std::move(table)};
}

Panel memory_panel(const LatencyHiding& lab) {
  ScatterPicture picture;
  const auto text = [](double value) { return with_thousands(std::llround(value)); };
  picture.across = size_axis(lab.word("in_flight_axis"), std::exp2(15), std::exp2(24));
  picture.up = {lab.word("rate_axis"), 50, 5000, true, {}};
  for (const double tick : {50.0, 100.0, 500.0, 1000.0, 5000.0}) picture.up.ticks.emplace_back(tick, text(tick));
  const double knee = lab.bandwidth() * static_cast<double>(*lab.device.latency_memory);
  picture.lines = {{{picture.across.from, lab.allowed(picture.across.from)}, {knee, lab.bandwidth()}, {}, false},
                   {{knee, lab.bandwidth()}, {picture.across.to, lab.bandwidth()}, lab.word("law"), false}};
  add_runs(
      lab, reads, picture,
      [&](const records::LabRun& run, std::int64_t warps, std::int64_t loads,
          bool simulated) -> std::optional<ScatterPoint> {
        const std::optional<double> rate = rate_of(run, simulated);
        if (!rate) return std::nullopt;
        return ScatterPoint{lab.in_flight(warps, loads), *rate, 0, {}, lab.word("n_rate", {{"n", text(*rate)}}), false};
      });
  return {"", 1, std::move(picture)};
}

Panel memory_table(const LatencyHiding& lab) {
  TablePicture table = table_by_warps(lab);
  for (const std::string_view kernel : reads) {
    TableRow& made = table.rows.emplace_back();
    made.cells.push_back(word_cell(lab.word(fmt::format("{}_cycles", kernel))));
    for (const std::int64_t warps : LatencyHiding::counts)
      made.cells.push_back(
          figure_cell(Figure::recorded(*lab.run(kernel, warps)->active.measured, Unit::count, Origin::measured)));
  }
  TableRow& faster = table.rows.emplace_back();
  faster.cells.push_back(word_cell(lab.word("faster_head")));
  for (const std::int64_t warps : LatencyHiding::counts) {
    const double times = *lab.run(reads[0], warps)->active.measured / *lab.run(reads[1], warps)->active.measured;
    faster.cells.push_back(figure_cell(Figure::derived(
        lab.word("n_times", {{"n", with_marks(fmt::format("{:.1f}", times))}}), lab.word("faster_formula"))));
  }
  return {"", 1, std::move(table)};
}

std::vector<LatencyHiding::Resource> LatencyHiding::resources() const {
  const double per_sm = bandwidth() / static_cast<double>(*device.sm_count);
  return {{"arithmetic", &device.latency_alu,
           static_cast<double>(*device.fp32_lanes) /
               static_cast<double>(*device.threads_per_warp * *device.sub_partitions)},
          {"shared_load", &device.latency_shared, loads_per_cycle(device, *device.shared_bandwidth)},
          {"l1_load", &device.latency_l1, loads_per_cycle(device, *device.l1_bandwidth)},
          {"memory_load", &device.latency_memory, loads_per_cycle(device, per_sm)}};
}

Panel law_panel(const LatencyHiding& lab) {
  TablePicture table;
  table.columns = {{lab.word("kind"), 2.2},
                   {lab.word("latency_head"), 1, true},
                   {lab.word("rate_head"), 1.3, true},
                   {lab.word("needed_head"), 1.2, true},
                   {lab.word("warps_one"), 1.2, true},
                   {lab.word("warps_four"), 1.2, true}};
  for (const LatencyHiding::Resource& resource : lab.resources()) {
    TableRow& row = table.rows.emplace_back();
    row.cells = {
        word_cell(lab.word(resource.key)), figure_cell(figure_of(*resource.latency)),
        figure_cell(Figure::derived(rounded_text(resource.rate), lab.word(fmt::format("{}_rate", resource.key)))),
        figure_cell(Figure::derived(rounded_text(resource.needed()), lab.word("needed_formula")))};
    for (const std::int64_t independent : per_warp) {
      const std::int64_t warps = resource.warps(independent);
      TableCell cell = figure_cell(Figure::derived(static_cast<double>(warps), Unit::count, lab.word("warps_formula")));
      if (warps > lab.places()) cell.tone = Tone::refused;
      row.cells.push_back(std::move(cell));
    }
  }
  return {"", 1, std::move(table)};
}

Panel places_panel(const LatencyHiding& lab, const LatencyHiding::Resource& resource) {
  CellGrid cells;
  const std::int64_t warps = resource.warps(1);
  cells.columns = 4;
  for (std::int64_t place = 0; place < lab.places(); ++place)
    cells.cells.push_back({place >= warps         ? Tone::quiet
                           : warps > lab.places() ? Tone::refused
                                                  : Tone::work,
                           {},
                           lab.word(place < warps ? "place_needed" : "place_free", {{"n", fmt::to_string(place)}})});
  cells.legend = legend(cells, lab.input, fmt::format("{}.word", LatencyHiding::name),
                        {{Tone::work, "needed"}, {Tone::refused, "too_few"}, {Tone::quiet, "free"}});
  cells.summary = lab.word(warps > lab.places() ? "more_than" : "out_of",
                           {{"warps", fmt::to_string(warps)}, {"places", fmt::to_string(lab.places())}});
  cells.note = cells.summary;
  return {lab.word(resource.key), 1, std::move(cells)};
}

Panel rate_panel(const LatencyHiding& lab) {
  TablePicture table;
  table.columns = {
      {lab.word("warps_head"), 1, true}, {lab.word("enough_head"), 1, true}, {lab.word("issue_head"), 1, true}};
  table.rows.push_back(
      {{number_cell(lab.load.warps),
        figure_cell(Figure::derived(static_cast<double>(lab.enough()), Unit::count, lab.word("enough_formula"))),
        figure_cell(Figure::derived(100 * issue_rate(lab.load), Unit::percent, lab.word("law_formula")))},
       false});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
