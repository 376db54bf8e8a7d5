// One text of the kernel, with what each line cost beside it.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/text.h"
#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::LinesPane;

constexpr float cost_row_height = 20;
constexpr float cost_head_height = 58;      // the text's name and the note; the heads of the columns
constexpr float cost_low_head_height = 34;  // all of them in one row
constexpr float cost_foot_margin = 10;
constexpr float least_cost_rows = 8;  // with fewer, as on a projected picture, code gets more room
constexpr float cost_pad = 10;
constexpr float cost_gap = 16;    // between two columns
constexpr float heat_width = 44;  // of the bar
constexpr float least_text_room = 240;

/// The columns of figures. The reason stands behind the stall cycles, under their head.
enum CostColumn : std::size_t { instructions, stall, reason, sectors, conflicts, cost_columns };

const std::string& cell_of(const LinesPane::Costs& costs, std::size_t column) {
  switch (column) {
    case instructions: return costs.instructions;
    case stall: return costs.stall;
    case reason: return costs.reason;
    case sectors: return costs.sectors;
    default: return costs.conflicts;
  }
}

/// The head of a column: those of the pane have no reason.
const std::pair<std::string, std::string>* head_of(const LinesPane& pane, std::size_t column) {
  if (column == reason) return nullptr;
  const std::size_t index = column < reason ? column : column - 1;
  return index < pane.columns.size() ? &pane.columns[index] : nullptr;
}

bool has_costs(const LinesPane::Costs& costs) {
  for (std::size_t c = 0; c < cost_columns; ++c)
    if (!cell_of(costs, c).empty()) return true;
  return false;
}

/// Left edges and widths of the columns; each is as wide as its contents need.
struct CostColumns {
  float number_room = 0, text = 0, text_room = 0, heat = 0;
  std::array<float, cost_columns> left{}, width{};
};

// Whether a line that may be shown has no room in one row.
bool wraps_near_focus(const Canvas& canvas, const LinesPane& pane, float room) {
  constexpr std::size_t near = 4;
  const std::size_t last = std::min(pane.rows.size(), pane.focus + near + 1);
  for (std::size_t i = pane.focus - std::min(pane.focus, near); i < last; ++i)
    if (canvas.text_width(Style::mono_small, pane.rows[i].text) > room) return true;
  return false;
}

// `low`: few rows fit, so the reasons are left out if the code then takes fewer of them.
CostColumns cost_columns_of(const Canvas& canvas, const Box& box, const LinesPane& pane, bool low) {
  CostColumns at;
  for (const LinesPane::Row& row : pane.rows)
    at.number_room = std::max(at.number_room, canvas.text_width(Style::mono_small, row.number));
  at.text = box.x + cost_pad + at.number_room + 14;
  const auto lay_out = [&](bool with_reason) {
    float x = box.right() - cost_pad;
    for (std::size_t c = cost_columns; c-- > 0;) {
      float width = 0;
      const auto take = [&](const LinesPane::Costs& costs) {
        width = std::max(width, canvas.text_width(Style::mono_small, cell_of(costs, c)));
      };
      for (const LinesPane::Row& row : pane.rows) take(row.costs);
      take(pane.elsewhere);
      take(pane.total);
      if (const auto* const head = head_of(pane, c))
        width = std::max(width, canvas.text_width(Style::label, head->first));
      // What the launch does not have leaves its room to the text.
      if (cell_of(pane.total, c).empty() || (c == reason && !with_reason)) width = 0;
      at.width[c] = width;
      x -= width;
      at.left[c] = x;
      if (width > 0) x -= cost_gap;
    }
    at.heat = x - heat_width;
    at.text_room = at.heat - 10 - at.text;
  };
  lay_out(true);
  if (at.text_room < least_text_room || (low && wraps_near_focus(canvas, pane, at.text_room))) lay_out(false);
  return at;
}

// A line of code in as many rows as its width takes, broken after a space where there is one in the second half of a
// row. Rows after the first one are indented by two more than the line.
std::vector<std::string> code_rows(const Canvas& canvas, std::string_view code, float width) {
  const float letter = canvas.text_width(Style::mono_small, "0");
  const auto letters = static_cast<std::size_t>(std::max(16.0f, width / letter));
  const std::size_t indent = std::min(code.find_first_not_of(' '), letters / 4) + 2;
  std::vector<std::string> rows;
  while (true) {
    const std::size_t room = rows.empty() ? letters : letters - indent;
    std::size_t bytes = 0, count = 0;  // a letter may have several bytes
    for (; bytes < code.size() && count < room; ++count) {
      ++bytes;
      while (bytes < code.size() && (static_cast<unsigned char>(code[bytes]) & 0xc0u) == 0x80u) ++bytes;
    }
    if (bytes < code.size())
      if (const std::size_t space = code.substr(0, bytes).rfind(' ');
          space != std::string_view::npos && 2 * space > bytes)
        bytes = space + 1;
    rows.push_back(std::string(rows.empty() ? 0 : indent, ' ') + std::string(code.substr(0, bytes)));
    code.remove_prefix(bytes);
    if (code.empty()) return rows;
  }
}

class CostListing {
 public:
  CostListing(Canvas& canvas, draw::Ui* ui, const Box& box, const LinesPane& pane, float shown)
      : canvas_(canvas), ui_(ui), theme_(canvas.theme()), box_(box), pane_(pane), shown_(shown) {}

  pictures::Touch paint() {
    canvas_.fill(box_, faded(theme_.panel), 6);
    canvas_.outline(box_, faded(theme_.line), 6, theme_.hairline);
    paint_head();
    const Box list = {box_.x, box_.y + head_height(), box_.width, box_.height - head_height() - foot_height()};
    paint_rows(list);
    paint_foot();
    if (ui_ != nullptr)
      if (const float wheel = ui_->wheel(list); wheel != 0) choose(rank() + (wheel < 0 ? 1 : -1));
    return std::move(touch_);
  }

 private:
  ImU32 faded(ImU32 colour) const { return draw::mixed(colour, theme_.ground, shown_); }
  ImU32 tinted(ImU32 colour, float amount) const { return faded(draw::mixed(colour, theme_.panel, amount)); }
  std::int64_t rank() const { return pane_.rows[pane_.focus].rank; }
  void choose(std::int64_t to) {
    touch_.set.emplace_back(pane_.rank_control, static_cast<double>(std::clamp<std::int64_t>(to, 1, pane_.ranks)));
  }

  float foot_height() const { return cost_row_height * (has_costs(pane_.elsewhere) ? 2 : 1) + cost_foot_margin; }
  float head_height() const { return one_row_head_ ? cost_low_head_height : cost_head_height; }
  // With the main reason of the chosen line, if the column of reasons is left out and `room` allows it.
  std::string note(float room) const {
    if (at_.width[reason] > 0 || pane_.rows.empty() || pane_.rows[pane_.focus].costs.reason.empty()) return pane_.note;
    std::string longer = pane_.note + ", " + pane_.rows[pane_.focus].costs.reason;
    return canvas_.text_width(Style::label, longer) <= room ? longer : pane_.note;
  }
  float button_width() const {
    return ui_ != nullptr && pane_.ranks > 1 ? canvas_.text_width(Style::label, pane_.next) + 34 : 0;
  }
  // Whether name, note and button have room beside the heads of the columns.
  bool fits_beside_heads() const {
    return canvas_.text_width(Style::label, pane_.name) + 14 + canvas_.text_width(Style::label, pane_.note) +
               button_width() <=
           at_.heat + heat_width - box_.x - cost_pad;
  }

  void paint_head() {
    const float name = canvas_.text({box_.x + cost_pad, box_.y + 8}, Style::label, faded(theme_.text), pane_.name) + 14;
    float right = one_row_head_ ? at_.heat + heat_width : box_.right() - cost_pad;
    if (const float width = button_width() - 10; width > 0) {
      // After the last line, the hottest one follows again.
      const Box button = {right - width, box_.y + 4, width, 24};
      right = button.x - 10;
      canvas_.outline(button, faded(theme_.line), 6, theme_.hairline);
      if (ui_->button(pane_.rank_control + ".next", button, pane_.next)) choose(rank() % pane_.ranks + 1);
    }
    const Box beside = {box_.x + cost_pad + name, box_.y + 6, right - box_.x - cost_pad - name, 22};
    pictures::paint_cut(canvas_, ui_, beside, Style::label, faded(theme_.second), note(beside.width));
    for (std::size_t c = 0; c < cost_columns; ++c) {
      const auto* const head = head_of(pane_, c);
      if (head == nullptr || at_.width[c] <= 0) continue;
      const Box place = {at_.left[c], box_.y + (one_row_head_ ? 6 : 32), at_.width[c], 22};
      canvas_.text_in(place, Style::label, faded(theme_.second), head->first, Align::right);
      if (ui_ == nullptr) continue;
      ui_->point(place, head->first);
      if (ui_->hovered(place)) ui_->tooltip(head->second);
    }
    rule(box_.y + head_height() - 2);
  }

  // As many lines as fit, the chosen one in the middle, each in as many rows as its text takes.
  void paint_rows(const Box& list) {
    if (pane_.rows.empty()) return;
    std::vector<std::vector<std::string>> rows;
    for (const LinesPane::Row& row : pane_.rows) rows.push_back(code_rows(canvas_, row.text, at_.text_room));
    const auto fits = static_cast<std::size_t>(std::max(1.0f, list.height / cost_row_height));
    std::size_t first = pane_.focus, last = pane_.focus + 1, used = rows[pane_.focus].size(), above = 0;
    for (bool grew = true; grew;) {
      grew = false;
      if (first > 0 && used + rows[first - 1].size() <= fits && (above <= fits / 2 || last == rows.size())) {
        above += rows[--first].size();
        used += rows[first].size();
        grew = true;
      }
      if (last < rows.size() && used + rows[last].size() <= fits) {
        used += rows[last++].size();
        grew = true;
      }
    }
    float y = list.y;
    for (std::size_t i = first; i < last; ++i) {
      const float height = cost_row_height * static_cast<float>(rows[i].size());
      paint_row(pane_.rows[i], rows[i], {box_.x, y, box_.width, height});
      y += height;
    }
  }

  void rule(float y) { canvas_.line({box_.x, y}, {box_.right(), y}, faded(theme_.line), theme_.hairline); }

  void paint_costs(const LinesPane::Costs& costs, const Box& row) {
    for (std::size_t c = 0; c < cost_columns; ++c) {
      if (at_.width[c] <= 0) continue;
      canvas_.text_in({at_.left[c], row.y, at_.width[c], row.height}, Style::mono_small,
                      faded(c == reason ? theme_.second : theme_.text), cell_of(costs, c),
                      c == reason ? Align::left : Align::right);
    }
  }

  void paint_row(const LinesPane::Row& row, const std::vector<std::string>& code, const Box& whole) {
    const Box inside = {whole.x + 1, whole.y, whole.width - 2, whole.height};
    const Box place = {whole.x, whole.y, whole.width, cost_row_height};  // of the figures
    if (row.chosen)
      canvas_.fill(inside, tinted(theme_.now, 0.22f));
    else if (row.fellow)
      canvas_.fill(inside, tinted(theme_.now, 0.08f));
    if (row.rank == 1) canvas_.fill({inside.x, inside.y, 4, inside.height}, faded(theme_.launch));
    canvas_.text_in({place.x + cost_pad, place.y, at_.number_room, place.height}, Style::mono_small,
                    faded(row.chosen ? theme_.now : theme_.faint), row.number, Align::right);
    const ImU32 colour = faded(row.rank > 0 || row.source_line > 0 ? theme_.text : theme_.second);
    for (std::size_t i = 0; i < code.size(); ++i)
      canvas_.text_in({at_.text, place.y + cost_row_height * static_cast<float>(i), at_.text_room + 8, cost_row_height},
                      Style::mono_small, colour, code[i]);
    const float length = heat_width * static_cast<float>(std::clamp(row.heat, 0.0, 1.0));
    if (row.heat > 0)
      canvas_.fill({at_.heat, place.y + 5, std::max(1.0f, length), place.height - 10}, faded(theme_.launch), 2);
    paint_costs(row.costs, place);
    if (ui_ == nullptr) return;
    ui_->point(whole, row.text);
    if (!ui_->hovered(whole)) return;
    if (!row.tip.empty()) ui_->tooltip(row.text + "\n" + row.tip);
    if (!ui_->input().mouse_pressed || row.rank == 0) return;
    choose(row.rank);
    if (row.source_line > 0) touch_.set.emplace_back(pane_.line_control, static_cast<double>(row.source_line));
  }

  // What is not of a line here, and the sums.
  void paint_foot() {
    float y = box_.bottom() - foot_height() + 4;
    rule(y - 2);
    for (const auto& [name, costs] :
         {std::pair{&pane_.elsewhere_name, &pane_.elsewhere}, std::pair{&pane_.total_name, &pane_.total}}) {
      if (costs == &pane_.elsewhere && !has_costs(*costs)) continue;
      const Box row = {box_.x, y, box_.width, cost_row_height};
      pictures::paint_cut(canvas_, ui_, {at_.text, y, at_.text_room, cost_row_height}, Style::label,
                          faded(theme_.second), *name);
      paint_costs(*costs, row);
      y += cost_row_height;
    }
  }

  Canvas& canvas_;
  draw::Ui* ui_;
  const draw::Theme& theme_;
  Box box_;
  const LinesPane& pane_;
  float shown_;
  bool low_ = box_.height - cost_head_height - foot_height() < least_cost_rows * cost_row_height;
  CostColumns at_ = cost_columns_of(canvas_, box_, pane_, low_);
  bool one_row_head_ = low_ && fits_beside_heads();
  pictures::Touch touch_;
};

}  // namespace

pictures::Touch paint_lines_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const LinesPane& pane, float shown) {
  return CostListing(canvas, ui, box, pane, shown).paint();
}

}  // namespace warpwalk::scenes
