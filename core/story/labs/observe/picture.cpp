// Pictures of the lab "observe".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/observe/observe.h"

namespace warpwalk::story {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

// Shares of the chart, in the order in which they lose meaning for capacity and gain it for work.
constexpr std::string_view shares[] = {"used", "utilization", "busy", "sm_active", "occupancy", "tensor", "bandwidth"};

ScatterAxis percents(std::string label, double top = 100) {
  ScatterAxis axis{std::move(label), 0, top, false, {}};
  for (const int tick : {0, 25, 50, 75, 100}) axis.ticks.emplace_back(tick, fmt::format("{} %", tick));
  return axis;
}

std::string text(const Observe& lab, std::string_view instrument, std::string_view what) {
  return lab.input.narration.text(fmt::format("{}.instrument", Observe::name), fmt::format("{}_{}", instrument, what));
}

}  // namespace

Panel instruments_panel(const Observe& lab) {
  TablePicture table;
  table.columns = {{lab.word("instrument"), 1.5}, {lab.word("reports"), 1.5}, {lab.word("now"), 1, true}};
  for (std::size_t i = 0; i < std::size(Observe::instruments); ++i) {
    const Instrument& one = Observe::instruments[i];
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(lab.word(fmt::format("tool_{}", one.tool)), Tone::quiet),
                 word_cell(text(lab, one.key, "name"))};
    if (auto figure = lab.figure(lab.moment_key(), one))
      row.cells.push_back(figure_cell(std::move(*figure)));
    else
      row.cells.push_back(word_cell(lab.word("nothing"), Tone::quiet));
    row.followed = i == lab.instrument;
    row.sets = {{fmt::format("{}.instrument", Observe::name), static_cast<double>(i)}};
  }
  return {lab.word(fmt::format("moment_{}", lab.moment_key())), 1.3, std::move(table)};
}

Panel meaning_panel(const Observe& lab) {
  const Instrument& one = Observe::instruments[lab.instrument];
  TablePicture table;
  table.columns = {{"", 0.7, false, true}, {"", 2, false, false, true}};
  for (const std::string_view what : {"means", "hidden", "cost"})
    table.rows.push_back({{word_cell(lab.word(what), Tone::quiet), word_cell(text(lab, one.key, what))}, false});
  return {text(lab, one.key, "name"), 1, std::move(table)};
}

Panel percent_panel(const Observe& lab, double shown) {
  ScatterPicture picture;
  picture.across = {{}, 0.5, static_cast<double>(std::size(shares)) + 0.5, false, {}};
  for (std::size_t i = 0; i < std::size(shares); ++i)
    picture.across.ticks.emplace_back(static_cast<double>(i + 1), lab.word(fmt::format("share_{}", shares[i])));
  picture.up = percents(lab.word("percent"), 110);
  picture.groups = {{lab.word(fmt::format("moment_{}", lab.moment_key())), Tone::work},
                    {lab.word("others"), Tone::quiet}};
  const auto add = [&](std::string_view moment, bool chosen) {
    const std::string name = lab.word(fmt::format("moment_{}", moment));
    for (std::size_t i = 0; i < std::size(shares); ++i) {
      const auto value = lab.percent(moment, shares[i]);
      if (!value || static_cast<double>(i) > shown * static_cast<double>(std::size(shares))) continue;
      const std::string percent = lab.shown(moment, shares[i]);
      picture.points.push_back({static_cast<double>(i + 1), *value, chosen ? 0u : 1u, chosen ? percent : name,
                                fmt::format("{}, {}: {}", name, lab.word(fmt::format("share_{}", shares[i])), percent),
                                chosen});
    }
  };
  // The chosen moment comes last, so that its points are on top.
  for (const std::string_view moment : Observe::moments)
    if (moment != lab.moment_key()) add(moment, false);
  add(lab.moment_key(), true);
  return {"", 1, std::move(picture)};
}

Panel memory_panel(const Observe& lab) {
  const auto value = [&](std::string_view tool, std::string_view figure) {
    return lab.record->number(lab.moment_key(), tool, figure).value_or(0);
  };
  const double allocated = value("torch", "memory_allocated"), reserved = value("torch", "memory_reserved");
  const double used = value("nvml", "used"), total = value("nvml", "total");
  CellGrid grid;
  grid.columns = 20;
  const auto cells = static_cast<std::size_t>(std::ceil(total / gib));
  for (std::size_t i = 0; i < cells; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) * gib;
    const auto [tone, key] = middle < allocated  ? std::pair{Tone::memory, "in_tensors"}
                             : middle < reserved ? std::pair{Tone::shared, "cached"}
                             : middle < used     ? std::pair{Tone::host, "context"}
                                                 : std::pair{Tone::plain, "free"};
    grid.cells.push_back({tone, "", lab.word(key)});
  }
  grid.legend =
      legend(grid, lab.input, fmt::format("{}.word", Observe::name),
             {{Tone::memory, "in_tensors"}, {Tone::shared, "cached"}, {Tone::host, "context"}, {Tone::plain, "free"}});
  grid.note = lab.word("one_cell");
  grid.summary = lab.word("cells_summary", {{"allocated", bytes_text(allocated)},
                                            {"reserved", bytes_text(reserved)},
                                            {"used", bytes_text(used)},
                                            {"total", bytes_text(total)}});
  return {lab.word("memory_heading"), 1, std::move(grid)};
}

Panel memory_table(const Observe& lab) {
  TablePicture table;
  table.columns = {
      {lab.word("reports"), 1.5, false, false, true}, {lab.word("instrument"), 1.7}, {lab.word("now"), 0.8, true}};
  const auto value = [&](std::string_view tool, std::string_view figure) {
    return lab.record->number(lab.moment_key(), tool, figure).value_or(0);
  };
  const auto row = [&](std::string_view key, std::string_view by, double bytes, std::string_view formula = {}) {
    table.rows.push_back({{word_cell(lab.word(key)), word_cell(std::string(by), Tone::quiet),
                           figure_cell(formula.empty() ? Figure::recorded(bytes, Unit::bytes, Origin::measured)
                                                       : Figure::derived(bytes, Unit::bytes, lab.word(formula)))},
                          false});
    table.rows.back().cells[1].code = true;
  };
  row("in_tensors", "memory_allocated", value("torch", "memory_allocated"));
  row("tensors_and_cache", "memory_reserved", value("torch", "memory_reserved"));
  row("by_process", "nvidia-smi", value("smi", "process_memory") * 1024 * 1024);
  row("by_all", "nvidia-smi, NVML", value("nvml", "used"));
  row("free_bytes", "cudaMemGetInfo", value("torch", "mem_get_info_free"));
  row("cached", "", value("torch", "memory_reserved") - value("torch", "memory_allocated"), "cached_formula");
  row("context", "", value("nvml", "used") - value("torch", "memory_reserved"), "context_formula");
  return {"", 1.5, std::move(table)};
}

Panel duty_panel(const Observe& lab, double shown) {
  ScatterPicture picture;
  picture.across = percents(lab.word("share_of_time"), 105);
  picture.up = percents(lab.word("percent"), 110);
  picture.groups = {{lab.word("utilization_one"), Tone::memory},
                    {lab.word("utilization_many"), Tone::shared},
                    {lab.word("sms_derived"), Tone::work},
                    {lab.word("occupancy_derived"), Tone::barrier}};
  picture.lines.push_back({{0, 0}, {100, 100}, lab.word("same"), true});
  for (const MeasuredDuty& one : measured_duties(*lab.record)) {
    // Bursts of many milliseconds are a beat of their own.
    if (one.kernel_us > 10000 || one.busy > 105 * shown) continue;
    picture.points.push_back({one.busy, one.utilization(), one.blocks > 1 ? 1u : 0u,
                              lab.word("n_blocks", {{"n", with_marks(fmt::format("{:g}", one.blocks))}}),
                              lab.word("duty_point", {{"busy", percent_text(one.busy)},
                                                      {"utilization", percent_text(one.utilization())},
                                                      {"kernel", time_text(one.kernel_us * 1000)},
                                                      {"gap", time_text(one.gap_us * 1000)}}),
                              false});
  }
  const double share = 100 * lab.duty.share();
  const GpuShare gpu = lab.gpu();
  picture.points.push_back(
      {share, share * gpu.sms, 2, percent_text(share * gpu.sms), percent_text(share * gpu.sms), true});
  picture.points.push_back({share, share * gpu.occupancy, 3, percent_text(share * gpu.occupancy),
                            percent_text(share * gpu.occupancy), false});
  picture.lines.push_back({{share, 0}, {share, share}, lab.word("chosen"), true});
  return {"", 1, std::move(picture)};
}

Panel window_panel(const Observe& lab, double shown) {
  const auto [kernel, gap] = Observe::bursts[lab.burst];
  const DutyCycle duty{kernel / 1000, gap / 1000};
  const double length = 2 * (duty.kernel + duty.gap) + 800, until = length * shown;
  ScatterPicture picture;
  picture.across = {lab.word("time"), 0, length, false, {}};
  for (double tick = 0; tick <= length; tick += duty.kernel < 200 ? 400 : 1000)
    picture.across.ticks.emplace_back(tick, with_marks(fmt::format("{:g} ms", tick)));
  picture.up = percents(lab.word("percent"), 125);
  picture.groups = {{lab.word("measured_reading"), Tone::memory}};
  for (double at = 0; at < until; at += duty.kernel + duty.gap)
    picture.lines.push_back(
        {{at, 115}, {std::min(until, at + duty.kernel), 115}, at == 0 ? lab.word("kernel_runs") : "", false});
  const auto values = window_shares(duty, lab.window, lab.offset, static_cast<int>(std::ceil(length / lab.window)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    // A window's value is there when the window has ended, until the next one ends.
    const double from = lab.offset + static_cast<double>(i + 1) * lab.window, to = std::min(length, from + lab.window);
    if (from >= until) break;
    picture.lines.push_back(
        {{from, values[i]}, {std::min(until, to), values[i]}, i == 0 ? lab.word("by_window") : "", false});
    if (i + 1 < values.size() && to < until) picture.lines.push_back({{to, values[i]}, {to, values[i + 1]}, "", true});
  }
  // The readings begin some time after the kernels: they are shown from the start of a period on.
  for (const MeasuredDuty& one : measured_duties(*lab.record)) {
    if (one.kernel_us != kernel || one.gap_us != gap || one.readings.empty()) continue;
    const double period = duty.kernel + duty.gap;
    const double start = std::ceil(one.readings.front().first / period) * period;
    for (const auto& [at, value] : one.readings)
      if (at >= start && at - start < until)
        picture.points.push_back({at - start, value, 0, fmt::format("{:.0f} ms", at - start),
                                  with_marks(fmt::format("{:g} %", value)), false});
  }
  return {"", 1, std::move(picture)};
}

Panel overhead_panel(const Observe& lab, double shown) {
  ScatterPicture picture;
  static constexpr std::string_view moments[] = {"compute", "memory", "tiny", "small"};
  picture.across = {{}, 0.5, 4.5, false, {}};
  picture.up = {lab.word("per_second"), 300, 300000, true, {}};
  for (const int tick : {1000, 10000, 100000}) picture.up.ticks.emplace_back(tick, with_thousands(tick));
  picture.groups = {{lab.word("without_profiler"), Tone::work}, {lab.word("with_profiler"), Tone::shared}};
  for (std::size_t i = 0; i < std::size(moments); ++i) {
    const std::string moment = lab.word(fmt::format("moment_{}", moments[i]));
    picture.across.ticks.emplace_back(static_cast<double>(i + 1), lab.word(fmt::format("short_{}", moments[i])));
    if (static_cast<double>(i) > 4 * shown) continue;
    std::size_t group = 0;
    for (const std::string_view tool : {"program", "profiler"}) {
      if (const auto rate = lab.record->number(moments[i], tool, "per_second"))
        picture.points.push_back({static_cast<double>(i + 1), *rate, group, moment,
                                  lab.word("n_per_second", {{"n", with_thousands(std::llround(*rate))}}), false});
      ++group;
    }
  }
  return {"", 1, std::move(picture)};
}

Panel overhead_table(const Observe& lab) {
  TablePicture table;
  table.columns = {{lab.word("moment"), 1.8},
                   {lab.word("kernel_length"), 1, true},
                   {lab.word("rate_without"), 1, true},
                   {lab.word("rate_with"), 1, true},
                   {lab.word("slower"), 1, true}};
  for (const std::string_view moment : {"compute", "memory", "tiny", "small"}) {
    const auto length = lab.record->number(moment, "profiler", "mean_us");
    const auto off = lab.record->number(moment, "program", "per_second"),
               on = lab.record->number(moment, "profiler", "per_second");
    if (!length || !off || !on || *on <= 0) continue;
    const auto rate = [&](double per_second) {
      return figure_cell(Figure::recorded(with_thousands(std::llround(per_second)), Origin::measured));
    };
    table.rows.push_back(
        {{word_cell(lab.word(fmt::format("moment_{}", moment))),
          figure_cell(Figure::recorded(*length * 1000, Unit::nanoseconds, Origin::measured)), rate(*off), rate(*on),
          figure_cell(Figure::derived(lab.word("n_times", {{"n", with_marks(fmt::format("{:.2f}", *off / *on))}}),
                                      lab.word("slower_formula")))},
         moment == lab.moment_key()});
  }
  return {"", 1, std::move(table)};
}

Panel live_panel(const Observe& lab) {
  CardPicture cards;
  CardColumn& column = cards.columns.emplace_back();
  column.head = lab.word("live_head");
  column.tone = Tone::work;
  Card& card = column.cards.emplace_back();
  card.heading = lab.word("live_heading");
  card.text = lab.word("live_text");
  card.link.key = "observe";
  return {"", 1, std::move(cards)};
}

Panel settings_panel(const Observe& lab) {
  TablePicture table;
  for (const std::string_view column : {"utilization_head", "sms_head", "occupancy_head", "window_head"})
    table.columns.push_back({lab.word(column), 1, true});
  const GpuShare gpu = lab.gpu();
  const auto percent = [&](double value, std::string_view formula) {
    return figure_cell(Figure::derived(percent_text(value), lab.word(formula)));
  };
  const double share = 100 * lab.duty.share();
  table.rows.push_back(
      {{percent(share, "utilization_formula"), percent(share * gpu.sms, "sms_formula"),
        percent(share * gpu.occupancy, "occupancy_formula"), word_cell(with_marks(fmt::format("{:g} ms", lab.window)))},
       false});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
