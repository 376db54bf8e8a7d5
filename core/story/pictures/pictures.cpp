// The functions of the generic pictures that are not in their headers: texts of transcripts, and what code that builds
// pictures shares.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/story/elements/figure.h"
#include "core/story/pictures/bars.h"
#include "core/story/pictures/cells.h"
#include "core/story/pictures/code.h"
#include "core/story/pictures/heat.h"
#include "core/story/pictures/opening.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/table.h"
#include "core/story/pictures/tile.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

namespace {

std::string range_text(double start, double end) { return fmt::format("{} to {}", time_text(start), time_text(end)); }

}  // namespace

std::string TimelinePicture::axis_text() const { return untimed ? scale_note : range_text(from, to); }

std::string TimelinePicture::span_text(const Bar& bar) const {
  return untimed ? std::string() : range_text(static_cast<double>(bar.start), static_cast<double>(bar.end));
}

void refuse_all(CellGrid& grid, const std::string& word, std::string_view note) {
  for (Cell& cell : grid.cells) {
    cell.tone = Tone::refused;
    cell.tip = fmt::format("{}: {}", cell.label, word);
  }
  grid.legend = {{Tone::refused, word}};
  grid.note.append(grid.note.empty() ? "" : " ").append(note);
}

std::string number_text(CodeKind kind, std::int64_t number) {
  return kind == CodeKind::sass ? fmt::format("{:04x}", number) : fmt::format("{}", number);
}

CodePicture::Column text_column(std::string name, std::vector<std::string> lines, std::size_t lit, double share) {
  CodePicture::Column column;
  column.share = share;
  column.name = std::move(name);
  for (std::string& line : lines) {
    const auto number = static_cast<std::int64_t>(column.window.lines.size()) + 1;
    column.window.lines.push_back({number, std::move(line), number, number == static_cast<std::int64_t>(lit)});
  }
  return column;
}

double HeatRow::mean() const {
  double sum = 0;
  for (const float share : shares) sum += std::max(0.0f, share);
  return shares.empty() ? 0 : sum / static_cast<double>(shares.size());
}

std::string HeatGroup::summary() const {
  double least = 1, most = 0;
  for (const HeatRow& row : rows) {
    least = std::min(least, row.mean());
    most = std::max(most, row.mean());
  }
  const std::string low = HeatPicture::share_text(least), high = HeatPicture::share_text(most);
  const std::string units =
      rows.size() == 1 ? rows.front().label : fmt::format("{} ... {}", rows.front().label, rows.back().label);
  return low == high ? fmt::format("{}: {}", units, low) : fmt::format("{}: {} - {}", units, low, high);
}

std::string HeatPicture::share_text(double share) { return with_marks(fmt::format("{:.1f} %", 100 * share)); }

std::string OpeningMatrix::first_line() const {
  if (corner.empty()) return {};
  if (row && column) return corner[*row][*column];
  if (!column) return fmt::format("{}{}", fmt::join(corner[row.value_or(0)], ", "), more_columns ? " …" : "");
  std::vector<std::string> down;
  for (const std::vector<std::string>& line : corner) down.push_back(line[*column]);
  return fmt::format("{}{}", fmt::join(down, ", "), more_rows ? " …" : "");
}

std::string OpeningPicture::line() const {
  std::string text;
  for (const OpeningToken& token : tokens) text += token.text;
  return text;
}

PanelPicture::PanelPicture() = default;
PanelPicture::PanelPicture(const PanelPicture& other) = default;
PanelPicture::PanelPicture(PanelPicture&& other) noexcept = default;
PanelPicture& PanelPicture::operator=(const PanelPicture& other) = default;
PanelPicture& PanelPicture::operator=(PanelPicture&& other) noexcept = default;
PanelPicture::~PanelPicture() = default;

std::string TableRow::joined() const {
  std::string text;
  for (const TableCell& cell : cells)
    for (const std::string& words : {cell.figure ? text_with_origin(*cell.figure) : cell.text, cell.below})
      if (!words.empty()) text.append(text.empty() ? "" : " | ").append(words);
  return text;
}

std::string TilePicture::tip_of(std::int64_t tile) const {
  const auto number = static_cast<std::size_t>(tile);
  std::string tip = fmt::format("{} {}", word_block, number);
  if (number < sm.size() && sm[number] >= 0) tip += fmt::format(" · {} {}", word_sm, sm[number]);
  return tip;
}

std::string WarpPicture::tip_of(std::size_t lane) const {
  std::string tip = fmt::format("{} {}", word_lane, lane);
  std::string_view between = ": ";
  for (const WarpValue& value : values) {
    if (value.lanes[lane].empty() || (value.result && back < 1)) continue;
    tip += fmt::format("{}{} {}", between, value.name, value.lanes[lane]);
    between = ", ";
  }
  return tip;
}

void ContentVisitor::append(const Figure& figure) {
  append(figure.text());
  append(trace::name_of(figure.origin()));
  append(figure.formula());
}

// Exact: two moments of a motion differ by little.
void ContentVisitor::append(double number) { fmt::format_to(std::back_inserter(text_), "{} ", number); }

std::string text_with_origin(const Figure& figure) {
  const std::string_view origin = trace::name_of(figure.origin());
  return figure.formula().empty() ? fmt::format("{} [{}]", figure.text(), origin)
                                  : fmt::format("{} [{}: {}]", figure.text(), origin, figure.formula());
}

}  // namespace warpwalk::story
