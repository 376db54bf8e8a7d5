// Pictures of the lab "collectives" about time: sizes, collectives side by side, a late GPU, a pipeline.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/collectives/collectives.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

std::string control_of(std::string_view control) { return fmt::format("{}.{}", Collectives::name, control); }

void set_time_axis(ScatterPicture& picture, std::string label) {
  double least = 1e9, most = 1;
  for (const ScatterPoint& point : picture.points) {
    least = std::min(least, point.y);
    most = std::max(most, point.y);
  }
  const double from = std::pow(10, std::floor(std::log10(least))), to = std::pow(10, std::ceil(std::log10(most)));
  picture.up = {std::move(label), from, std::max(to, 10 * from), true, {}};
  for (double tick = from; tick <= picture.up.to * 1.01; tick *= 10)
    picture.up.ticks.emplace_back(tick, words::short_time_text(std::llround(tick)));
}

TableRow collective_row(const Collectives& lab, std::string_view key, const CollectivePlan& plan) {
  const std::string formula = lab.word("counted_formula");
  return {{word_cell(lab.word(key)), figure_cell(Figure::derived(plan.steps, Unit::count, formula)),
           figure_cell(Figure::derived(plan.busiest_share() * lab.bytes, Unit::bytes, formula)),
           word_cell(lab.word(fmt::format("use_{}", key)))},
          false};
}

}  // namespace

Panel sizes_panel(const Collectives& lab, double shown) {
  ScatterPicture picture;
  picture.across = {lab.word("size_axis"), 4, std::exp2(31), true, {}};
  for (int power = 3; power <= 30; power += 6) {
    const double bytes = std::exp2(power);
    picture.across.ticks.emplace_back(bytes, bytes_text(bytes));
  }
  picture.groups = {{lab.word("ring_model"), Tone::work},
                    {lab.word("tree_model"), Tone::memory},
                    {lab.word("nccl_measured"), Tone::shared}};
  for (int power = 3; power <= 30; ++power) {
    const double bytes = std::exp2(power);
    for (std::size_t one = 0; one < 2; ++one) {
      const double ns = lab.costs[one].ns(bytes, lab.link);
      picture.points.push_back(
          {bytes, ns, one, fmt::format("{}, {}", picture.groups[one].name, bytes_text(bytes)), time_text(ns), false});
    }
  }
  for (const records::CollectiveTime& one : lab.input.hardware.collectives)
    if (one.gpus == lab.gpus && one.kind == "all_reduce")
      picture.points.push_back({one.bytes, one.ns, 2,
                                fmt::format("{}, {}", picture.groups[2].name, bytes_text(one.bytes)), time_text(one.ns),
                                false});
  set_time_axis(picture, lab.word("time_axis"));
  std::erase_if(picture.points,
                [&](const ScatterPoint& point) { return std::log2(point.x) > 3 + 27.5 * std::max(0.0, shown); });
  const auto line = [&](double bytes, std::string_view key) {
    picture.lines.push_back({{bytes, picture.up.from}, {bytes, picture.up.to}, lab.word(key), true});
  };
  line(lab.bytes, "chosen");
  if (const auto crossover = lab.crossover(); crossover && *crossover < picture.across.to)
    line(*crossover, "crossover");
  return {"", 1, std::move(picture)};
}

Panel algorithms_table(const Collectives& lab) {
  TablePicture table;
  table.columns = {{lab.word("algorithm_head"), 1.6},
                   {lab.word("latency_steps_head"), 1, true},
                   {lab.word("busiest_head"), 1.2, true},
                   {lab.word("time_head"), 1, true},
                   {lab.word("bus_head"), 1.2, true}};
  const auto bus_cell = [&](double ns, std::string_view formula) {
    return figure_cell(Figure::derived(all_reduce_bus_bandwidth(lab.gpus, lab.bytes, ns), Unit::gigabytes_per_second,
                                       lab.word(formula)));
  };
  for (std::size_t one = 0; one < 2; ++one)
    table.rows.push_back(
        {{word_cell(lab.word(Collectives::algorithm_keys[one])),
          figure_cell(Figure::derived(lab.costs[one].steps, Unit::count, lab.word("latency_steps_formula"))),
          figure_cell(Figure::derived(lab.costs[one].share * lab.bytes, Unit::bytes, lab.word("counted_formula"))),
          figure_cell(Figure::derived(lab.ns(one), Unit::nanoseconds, lab.word("model_formula"))),
          bus_cell(lab.ns(one), "bus_formula")},
         one == lab.algorithm,
         {},
         {{control_of("algorithm"), static_cast<double>(one)}}});
  TableRow measured{{word_cell(lab.word("nccl_measured")), word_cell("–"), word_cell("–")}, false};
  if (const records::CollectiveTime* const one = lab.measured()) {
    measured.cells.push_back(figure_cell(Figure::recorded(one->ns, Unit::nanoseconds, Origin::measured)));
    measured.cells.push_back(bus_cell(one->ns, "bus_formula"));
  } else {
    measured.cells.push_back(word_cell(lab.word("not_measured"), Tone::quiet));
    measured.cells.push_back(word_cell("–"));
  }
  table.rows.push_back(std::move(measured));
  return {"", 1, std::move(table)};
}

Panel collectives_table(const Collectives& lab) {
  TablePicture table;
  table.columns = {{lab.word("collective_head"), 1.2},
                   {lab.word("steps_head"), 0.6, true},
                   {lab.word("busiest_head"), 1, true},
                   {lab.word("use_head"), 2.2}};
  for (std::size_t i = 0; i < std::size(Collectives::others); ++i) {
    TableRow row = collective_row(lab, Collectives::other_keys[i], ring_plan(Collectives::others[i], lab.gpus));
    row.followed = i == lab.other;
    row.sets = {{control_of("collective"), static_cast<double>(i)}};
    table.rows.push_back(std::move(row));
  }
  table.rows.push_back(collective_row(lab, "all_reduce", lab.ring));
  return {"", 1, std::move(table)};
}

Panel late_panel(const Collectives& lab, double shown) {
  const double end = lab.last_end();
  TimelinePicture picture;
  picture.to = std::max(1000.0, end * 1.02);
  const double until = picture.to * shown;
  RowGroup& group = picture.groups.emplace_back();
  for (std::size_t gpu = 0; gpu < lab.timed.size(); ++gpu) {
    const ArrivedGpu& one = lab.timed[gpu];
    Row& row = group.rows.emplace_back();
    row.name = lab.number_word("gpu_n", static_cast<std::int64_t>(gpu));
    const auto add = [&](std::string label, double from, double to, Role role) {
      if (from >= to || from > until) return;
      Bar& bar = row.bars.emplace_back();
      if (to - from > picture.to / 6) bar.label = std::move(label);  // beside a short bar, it would cover others
      bar.start = std::llround(from);
      bar.end = std::llround(std::min(to, until));
      bar.role = role;
      bar.followed = role != Role::wait;
    };
    add(lab.word("computes"), 0, one.arrival, Role::kernel);
    double at = one.arrival;
    for (const auto& [from, to] : one.busy) {
      add(lab.word("waits"), at, from, Role::wait);
      add(lab.word("sends_and_receives"), from, to, Role::copy);
      at = to;
    }
    add(lab.word("waits"), at, one.end, Role::wait);
  }
  for (const auto& [role, key] :
       {std::pair{Role::kernel, "computes"}, {Role::wait, "waits"}, {Role::copy, "sends_and_receives"}})
    picture.legend.emplace_back(role, lab.word(key));
  return {"", 1, std::move(picture)};
}

Panel pipeline_panel(const Collectives& lab, double shown) {
  const PipelineRun& run = lab.pipeline();
  const int until = static_cast<int>(std::lround(shown * run.end));
  CellGrid grid;
  grid.columns = static_cast<std::size_t>(run.end) + 1;
  for (int stage = 0; stage < lab.stages; ++stage) {
    const std::string name = lab.number_word("stage_n", stage);
    const std::size_t first = grid.cells.size();
    grid.cells.push_back({Tone::quiet, lab.number_word("stage_short", stage), name});
    for (int unit = 0; unit < run.end; ++unit)
      grid.cells.push_back(unit < until ? Cell{Tone::plain, "", lab.word("idle_tip", {{"stage", name}})}
                                        : Cell{Tone::quiet, "", ""});
    for (const PipelineWork& work : run.work) {
      if (work.stage != stage) continue;
      for (int unit = work.start; unit < std::min(work.end, until); ++unit)
        grid.cells[first + 1 + static_cast<std::size_t>(unit)] = {
            work.backward ? Tone::memory : Tone::work, fmt::to_string(work.microbatch),
            lab.word(work.backward ? "backward_tip" : "forward_tip",
                     {{"stage", name}, {"n", fmt::to_string(work.microbatch)}})};
    }
  }
  grid.legend = {
      {Tone::work, lab.word("forward")}, {Tone::memory, lab.word("backward")}, {Tone::plain, lab.word("idle")}};
  if (until == run.end)
    grid.summary = lab.word("pipeline_summary", {{"units", fmt::to_string(run.end)},
                                                 {"work", fmt::to_string(lab.microbatches * (1 + lab.backward))}});
  return {lab.word(Collectives::order_keys[lab.order]), 1, std::move(grid)};
}

Panel orders_table(const Collectives& lab) {
  TablePicture table;
  table.columns = {{lab.word("order_head"), 1.4},
                   {lab.word("units_head"), 1.2, true},
                   {lab.word("bubble_head"), 1, true},
                   {lab.word("held_head"), 1.6, true}};
  for (std::size_t i = 0; i < 2; ++i) {
    const PipelineRun& run = lab.pipelines[i];
    table.rows.push_back({{word_cell(lab.word(Collectives::order_keys[i])),
                           figure_cell(Figure::derived(run.end, Unit::count, lab.word("units_formula"))),
                           figure_cell(Figure::derived(100 * run.bubble, Unit::percent, lab.word("bubble_counted"))),
                           figure_cell(Figure::derived(run.most_held, Unit::count, lab.word("held_formula")))},
                          i == lab.order,
                          {},
                          {{control_of("order"), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
