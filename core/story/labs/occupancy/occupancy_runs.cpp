#include "core/story/labs/occupancy/occupancy_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"

namespace warpwalk::story {

const records::LabRun* WindowRuns::run(std::int64_t blocks) const {
  return find_run(input_.hardware.lab_runs, fmt::format("windows_{}", blocks));
}

std::string WindowRuns::word(std::string_view key, const Narration::Values& values) const {
  return input_.narration.text("lab/occupancy.word", key, values);
}

bool WindowRuns::recorded() const {
  return std::ranges::all_of(counts, [&](std::int64_t blocks) {
    const records::LabRun* const one = run(blocks);
    return one != nullptr && one->active.measured && one->l1_hits.measured;
  });
}

double WindowRuns::cycles(std::int64_t blocks) const { return *run(blocks)->active.measured; }
double WindowRuns::l1_hits(std::int64_t blocks) const { return *run(blocks)->l1_hits.measured; }

std::int64_t WindowRuns::fastest() const {
  return *std::ranges::min_element(counts, {}, [&](std::int64_t blocks) { return cycles(blocks); });
}

Panel WindowRuns::panel() const {
  ScatterPicture picture;
  picture.across = {word("blocks_axis"), 0, 9, false, {}};
  for (const std::int64_t blocks : counts)
    picture.across.ticks.emplace_back(static_cast<double>(blocks), fmt::to_string(blocks));
  picture.up = {word("cycles_axis"), 0, 400000, false, {}};
  for (const double tick : {0.0, 100000.0, 200000.0, 300000.0, 400000.0})
    picture.up.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  picture.groups = {{word("measured"), Tone::work}, {word("simulated"), Tone::memory}};
  for (const std::int64_t blocks : counts) {
    const records::BothWays& active = run(blocks)->active;
    const auto add = [&](std::size_t group, const std::optional<double>& value) {
      if (value)
        picture.points.push_back({static_cast<double>(blocks), *value, group,
                                  count_text(input_.narration, "block", blocks), with_thousands(std::llround(*value)),
                                  false});
    };
    add(0, active.measured);
    add(1, active.simulated);
  }
  return {"", 1, std::move(picture)};
}

Panel WindowRuns::table() const {
  TablePicture table;
  table.columns = {{word("blocks_axis"), 2.2}};
  for (const std::int64_t blocks : counts) table.columns.push_back({fmt::to_string(blocks), 1, true});
  const auto row = [&](std::string_view key, auto figure) {
    TableRow& made = table.rows.emplace_back();
    made.cells.push_back(word_cell(word(key)));
    for (const std::int64_t blocks : counts) made.cells.push_back(figure_cell(figure(blocks)));
  };
  row("cycles_row",
      [&](std::int64_t blocks) { return Figure::recorded(cycles(blocks), Unit::count, Origin::measured); });
  row("windows_row", [&](std::int64_t blocks) {
    return Figure::derived(window * static_cast<double>(blocks), Unit::bytes, word("windows_formula"));
  });
  row("hits_row",
      [&](std::int64_t blocks) { return Figure::recorded(l1_hits(blocks), Unit::percent, Origin::measured); });
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
