// The launches of one kernel, and the roofline.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/pages/kernels/kernels_state.h"
#include "app/pictures/pictures.h"
#include "core/analysis/kernels/op_arguments.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"
#include "core/words/time_column.h"

namespace warpwalk::pages {
namespace {

using analysis::LaunchColumn;
using draw::Box;
using draw::Canvas;
using draw::Key;
using draw::Style;

struct LaunchColumnRoom {
  LaunchColumn column;
  int rank;     // the highest is left out first
  float least;  // of a column of words; 0: as wide as its figures
  bool right;
};

constexpr std::size_t longest_point_name = 44;  // characters

constexpr std::array<LaunchColumnRoom, analysis::launch_columns> launch_rooms = {{{LaunchColumn::start, 0, 0, true},
                                                                                  {LaunchColumn::duration, 1, 0, true},
                                                                                  {LaunchColumn::grid, 5, 0, true},
                                                                                  {LaunchColumn::stream, 6, 0, false},
                                                                                  {LaunchColumn::op, 2, 160, false},
                                                                                  {LaunchColumn::shapes, 4, 220, false},
                                                                                  {LaunchColumn::line, 3, 200, false}}};

// The texts of launches in the units of their columns.
class LaunchCells {
 public:
  LaunchCells(const draw::Ui& ui, const trace::Trace& trace, const analysis::CodePlaces& places,
              const analysis::KernelRow& row)
      : ui_(ui), trace_(trace), places_(places), starts_(trace.end_ns - trace.begin_ns), durations_(row.max) {}

  std::string text(story::SliceId work, LaunchColumn column) const;

 private:
  std::string named(story::SliceId slice) const {
    return slice == story::no_slice ? ui_.word("kernels_page", "not_recorded") : analysis::label_of(trace_, slice);
  }

  const draw::Ui& ui_;
  const trace::Trace& trace_;
  const analysis::CodePlaces& places_;
  words::TimeColumn starts_, durations_;
};

std::string LaunchCells::text(story::SliceId work, LaunchColumn column) const {
  const bool timed = story::has_time(trace_, work);
  switch (column) {
    case LaunchColumn::start:
      return timed ? starts_.text(analysis::since_start(trace_, trace_.slices.start[work]))
                   : ui_.word("kernels_page", "no_time");
    case LaunchColumn::duration:
      return timed ? durations_.text(trace_.slices.duration[work]) : ui_.word("kernels_page", "no_time");
    case LaunchColumn::grid: {
      if (trace_.slices.kind[work] != trace::SliceKind::kernel) return ui_.word("kernels_page", "not_recorded");
      const auto& grid = trace_.kernels[trace_.slices.detail[work]].grid;
      return grid[0] > 0 ? analysis::shape_text(grid) : ui_.word("kernels_page", "not_recorded");
    }
    case LaunchColumn::stream: return story::track_label(ui_.words(), trace_, trace_.slices.track[work]);
    case LaunchColumn::op: return named(trace::op_of(trace_, work));
    case LaunchColumn::shapes: {
      const std::string shapes = analysis::op_shapes_text(trace_, trace::op_of(trace_, work));
      return shapes.empty() ? ui_.word("kernels_page", "not_recorded") : shapes;
    }
    case LaunchColumn::line: break;
  }
  const std::string line = places_.line_text(work);
  return line.empty() ? ui_.word("kernels_page", "not_recorded") : line;
}

// Widths from the first rows and from the longest figures.
std::vector<GridColumn> launch_columns_of(const draw::Ui& ui, const Canvas& canvas, const LaunchCells& cells,
                                          const KernelsState& state) {
  constexpr std::size_t measured = 60;
  std::vector<GridColumn> columns;
  for (const LaunchColumnRoom& room : launch_rooms) {
    GridColumn made;
    made.id = static_cast<std::size_t>(room.column);
    made.rank = room.rank;
    made.right = room.right;
    made.head = ui.word("kernels_page.launch_column", name_of(room.column));
    made.tip = ui.word("kernels_page.launch_column", fmt::format("{}.tip", name_of(room.column)));
    made.least = room.least;
    if (room.least == 0) {
      std::string widest;
      const auto measure = [&](story::SliceId work) {
        if (std::string text = cells.text(work, room.column); text.size() > widest.size()) widest = std::move(text);
      };
      for (std::size_t i = 0; i < std::min(state.launches.size(), measured); ++i) measure(state.launches[i]);
      const analysis::KernelRow& row = state.table.rows[state.opened_row];
      measure(row.longest);
      if (row.last > row.first) measure(state.table.launches[row.last - 1]);
      made.width = grid_width(canvas, made.head, widest);
    }
    columns.push_back(std::move(made));
  }
  return columns;
}

void sort_launches(KernelsState& state, LaunchColumn column) {
  const bool same = state.launch_order.column == column;
  state.launch_order = {column, same ? !state.launch_order.descending : column == LaunchColumn::duration};
  state.launch_column = column;
  state.launch_place = {};
  state.launches =
      analysis::ordered_launches(state.document->trace(), *state.places,
                                 state.table.launches_of(state.table.rows[state.opened_row]), state.launch_order);
}

void take_launch_keys(draw::Ui& ui, std::span<const GridColumn> columns, KernelsState& state) {
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.control) continue;
    const auto found = std::ranges::find(columns, static_cast<std::size_t>(state.launch_column), &GridColumn::id);
    std::size_t at = found == columns.end() ? 0 : static_cast<std::size_t>(found - columns.begin());
    if (press.key == Key::left && at > 0) --at;
    if (press.key == Key::right && at + 1 < columns.size()) ++at;
    state.launch_column = static_cast<LaunchColumn>(columns[at].id);
    if (press.key == Key::character && (press.character == U's' || press.character == U'S'))
      sort_launches(state, state.launch_column);
  }
}

}  // namespace

KernelsChoice paint_kernel_launches(draw::Ui& ui, const Box& box, KernelsState& state) {
  Canvas& canvas = ui.canvas();
  const trace::Trace& trace = state.document->trace();
  const analysis::KernelRow& row = state.table.rows[state.opened_row];
  float y = box.y;
  for (const std::string& line : canvas.wrapped(Style::mono_small, trace.text(row.name), box.width, 2)) {
    canvas.text({box.x, y}, Style::mono_small, ui.theme().text, line);
    y += 19;
  }
  y += 8;
  const LaunchCells cells(ui, trace, *state.places, row);
  const std::vector<GridColumn> columns = fitted_columns(launch_columns_of(ui, canvas, cells, state), box.width);
  take_launch_keys(ui, columns, state);
  const GridSort sort = {static_cast<std::size_t>(state.launch_column),
                         static_cast<std::size_t>(state.launch_order.column), state.launch_order.descending};
  const Box list = {box.x, y, box.width, box.bottom() - y};
  const GridAnswer answer = paint_grid(ui, list, "kernels.launches", columns, sort, state.launches.size(),
                                       state.launch_place, false, [&](std::size_t at, std::size_t column) {
                                         const auto which = static_cast<LaunchColumn>(column);
                                         const bool quiet =
                                             which != LaunchColumn::start && which != LaunchColumn::duration;
                                         return GridCell{cells.text(state.launches[at], which), {}, 0, quiet};
                                       });
  KernelsChoice choice;
  bool chosen = answer.open;
  for (const draw::KeyPress& press : ui.input().keys)
    chosen = chosen || (press.key == Key::enter && !ui.focus_shown("kernels.back"));
  if (chosen && state.launch_place.cursor < state.launches.size())
    choice.follow = state.launches[state.launch_place.cursor];
  if (answer.head) sort_launches(state, static_cast<LaunchColumn>(*answer.head));
  return choice;
}

void paint_kernel_roofline(draw::Ui& ui, const Box& box, KernelsState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (!state.roofline) {
    state.roofline = story::kernel_roofline(ui.words(), state.table);
    // A name beside its point must not cross the plot. Few are as long, and the table has them whole.
    for (story::ScatterPoint& point : state.roofline->picture.points)
      point.name = analysis::shortened(point.name, longest_point_name);
  }
  const story::KernelRoofline& roofline = *state.roofline;
  if (roofline.points == 0) {
    canvas.paragraph({box.x, box.y + 8}, Style::body, theme.second, ui.word("kernels_page.roofline", "none"), box.width,
                     3);
    return;
  }
  std::vector<std::string> notes;
  notes.push_back(roofline.without == 0
                      ? ui.word("kernels_page.roofline", "all_shown")
                      : ui.word("kernels_page.roofline", "left_out",
                                {{"n", story::with_thousands(static_cast<std::int64_t>(roofline.without))},
                                 {"share", base::with_marks(fmt::format("{:.1f}", 100 * roofline.share_without))}}));
  if (!state.table.peaks.known()) notes.push_back(ui.word("kernels_page.roofline", "no_peaks"));
  notes.push_back(ui.word("kernels_page.roofline", "traffic"));
  if (!roofline.picture.lines.empty()) notes.back() += " " + ui.word("kernels_page.roofline", "above");
  constexpr int note_lines = 3;
  float height = 0;
  const float line = 1.2f * canvas.line_height(Style::label);
  for (const std::string& note : notes)
    height += line * static_cast<float>(canvas.wrapped(Style::label, note, box.width, note_lines).size());
  const Box plot = {box.x, box.y, box.width, box.height - height - 12};
  pictures::paint_scatter(canvas, &ui, plot, roofline.picture);
  float y = plot.bottom() + 12;
  for (const std::string& note : notes)
    y += canvas.paragraph({box.x, y}, Style::label, theme.second, note, box.width, note_lines);
}

}  // namespace warpwalk::pages
