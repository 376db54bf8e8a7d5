// Machine code with its control codes, and beside it one instruction: what it does, its registers, and the constants of
// the launch.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/pictures/text.h"
#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::InstructionPane;
using Part = InstructionPane::Part;
using Use = InstructionPane::Use;

constexpr float row_height = 20;
constexpr float list_head_height = 34;
constexpr float legend_height = 24;
constexpr float list_pad = 10;

/// Places of the columns after the text, from left to right; each is as wide as its contents need.
struct PartColumns {
  float text = 0;  ///< left end of the text
  float text_room = 0;
  std::array<float, 7> left{};  ///< stall, yield, wait, write, read, reuse, live
  std::array<float, 7> width{};
};

PartColumns part_columns(const Canvas& canvas, const Box& box) {
  const float digit = canvas.text_width(Style::mono_small, "0");
  const std::array<float, 7> chars = {3, 2.4f, 7.5f, 2.4f, 2.4f, 2.4f, 5};
  PartColumns at;
  float x = box.right() - list_pad;
  for (std::size_t c = chars.size(); c-- > 0;) {
    at.width[c] = chars[c] * digit;
    x -= at.width[c];
    at.left[c] = x;
  }
  at.text = box.x + list_pad + 4 * digit + 14;
  at.text_room = x - at.text - 6;
  return at;
}

/// Common to both halves of the pane.
class Half {
 public:
  Half(Canvas& canvas, draw::Ui* ui, const Box& box, const InstructionPane& pane, float shown)
      : canvas_(canvas), ui_(ui), theme_(canvas.theme()), box_(box), pane_(pane), shown_(shown) {}

 protected:
  ImU32 faded(ImU32 colour) const { return draw::mixed(colour, theme_.ground, shown_); }

  Canvas& canvas_;
  draw::Ui* ui_;
  const draw::Theme& theme_;
  Box box_;
  const InstructionPane& pane_;
  float shown_;
};

/// The rows of machine code.
class Listing : Half {
 public:
  using Half::Half;

  pictures::Touch paint() {
    canvas_.fill(box_, faded(theme_.panel), 6);
    canvas_.outline(box_, faded(theme_.line), 6, theme_.hairline);
    paint_head();
    const auto fits =
        static_cast<std::size_t>(std::max(1.0f, (box_.height - list_head_height - legend_height) / row_height));
    const std::size_t before = std::min(pane_.focus, fits / 2);
    const std::size_t last_start = pane_.rows.size() > fits ? pane_.rows.size() - fits : 0;
    const std::size_t from = std::min(pane_.focus - before, last_start);
    float y = box_.y + list_head_height;
    for (std::size_t i = from; i < std::min(from + fits, pane_.rows.size()); ++i, y += row_height)
      paint_row(pane_.rows[i], {box_.x, y, box_.width, row_height});
    const float foot = box_.bottom() - legend_height;
    canvas_.line({box_.x, foot}, {box_.right(), foot}, faded(theme_.line), theme_.hairline);
    pictures::paint_cut(canvas_, ui_, {box_.x + list_pad, foot, box_.width - 2 * list_pad, legend_height}, Style::label,
                        faded(theme_.second), pane_.legend);
    if (ui_ != nullptr) take_keys(fits);
    return std::move(touch_);
  }

 private:
  ImU32 tinted(ImU32 colour, float amount) const { return faded(draw::mixed(colour, theme_.panel, amount)); }
  Box cell(const Box& row, std::size_t column) const {
    return {at_.left[column], row.y, at_.width[column], row.height};
  }
  void choose(std::int64_t number) { touch_.set.emplace_back(pane_.control, static_cast<double>(number)); }

  void paint_head() {
    const float name =
        canvas_.text({box_.x + list_pad, box_.y + 8}, Style::label, faded(theme_.text), pane_.head_code) + 12;
    const float note = canvas_.text({box_.x + list_pad + name, box_.y + 8}, Style::label, faded(theme_.second),
                                    pane_.head_note, std::max(0.0f, at_.left[0] - box_.x - name - 100));
    const float buttons = box_.x + list_pad + name + note + 14;
    for (std::size_t c = 0; c < pane_.columns.size() && c < at_.left.size(); ++c) {
      const Box place = {at_.left[c], box_.y + 4, at_.width[c], list_head_height - 8};
      canvas_.text_in(place, Style::label, faded(theme_.second), pane_.columns[c].first, Align::centre);
      if (ui_ != nullptr && ui_->hovered(place)) ui_->tooltip(pane_.columns[c].second);
    }
    canvas_.line({box_.x, box_.y + list_head_height - 4}, {box_.right(), box_.y + list_head_height - 4},
                 faded(theme_.line), theme_.hairline);
    if (ui_ == nullptr) return;
    const std::int64_t number = pane_.rows[pane_.focus].number;
    if (ui_->button(pane_.control + ".back", {buttons, box_.y + 4, 26, 22}, "↑"))
      choose(std::max<std::int64_t>(number - 1, 0));
    if (ui_->button(pane_.control + ".on", {buttons + 32, box_.y + 4, 26, 22}, "↓"))
      choose(std::min(number + 1, pane_.count - 1));
  }

  void paint_row(const InstructionPane::Row& row, const Box& place) {
    const Box inside = {place.x + 1, place.y, place.width - 2, place.height};
    const ImU32 mark = row.part == Part::setter     ? theme_.barrier
                       : row.part == Part::producer ? theme_.done
                                                    : theme_.now;
    if (row.part == Part::selected)
      canvas_.fill(inside, tinted(theme_.now, 0.22f));
    else if (row.part != Part::none)
      canvas_.fill(inside, tinted(mark, 0.16f));
    else if (row.lit)
      canvas_.fill(inside, tinted(theme_.now, 0.07f));
    if (row.part != Part::none) canvas_.fill({inside.x, inside.y, 4, inside.height}, faded(mark));
    const ImU32 text = faded(row.used ? theme_.text : theme_.faint), second = faded(theme_.second);
    canvas_.text_in({place.x + list_pad, place.y, at_.text - place.x - list_pad - 12, place.height}, Style::mono_small,
                    row.part == Part::selected || row.lit ? faded(theme_.now) : faded(theme_.faint), row.address,
                    Align::right);
    // The text with, behind it, what the row is to the selected instruction.
    const float width = canvas_.text_width(Style::mono_small, row.text);
    canvas_.text_in({at_.text, place.y, at_.text_room, place.height}, Style::mono_small, text, row.text);
    const float left = at_.text_room - width - 12;
    if (!row.relation.empty() && left > 70)
      canvas_.text_in({at_.text + width + 12, place.y, left, place.height}, Style::label, faded(mark), row.relation,
                      Align::right);
    if (row.used && !row.stall.empty()) paint_control(row, place, text, second);
    if (ui_ == nullptr) return;
    ui_->point(place, row.text);
    if (!ui_->hovered(place) || place.bottom() > box_.bottom()) return;
    ui_->tooltip(row.relation.empty() ? row.text + "\n" + row.tip : row.text + "\n" + row.relation + "\n" + row.tip);
    if (ui_->input().mouse_pressed) choose(row.number);
  }

  void paint_control(const InstructionPane::Row& row, const Box& place, ImU32 text, ImU32 second) {
    const Style mono = Style::mono_small;
    canvas_.text_in(cell(place, 0), mono, text, row.stall, Align::centre);
    if (row.yields) canvas_.text_in(cell(place, 1), mono, second, "Y", Align::centre);
    // Six slots, with the numbers of the barriers that are waited for.
    const Box wait = cell(place, 2);
    for (std::uint32_t barrier = 0; barrier < 6; ++barrier) {
      const float slot = (wait.width - 8) / 6;
      const Box one = {wait.x + 4 + slot * static_cast<float>(barrier), wait.y, slot, wait.height};
      if ((row.waits >> barrier & 1) != 0)
        canvas_.text_in(one, mono, faded(theme_.barrier), std::to_string(barrier), Align::centre);
      else
        canvas_.fill({one.x + slot / 2 - 1, one.y + one.height / 2 - 1, 2, 2}, faded(theme_.line));
    }
    canvas_.text_in(cell(place, 3), mono, faded(theme_.barrier), row.write_barrier, Align::centre);
    canvas_.text_in(cell(place, 4), mono, faded(theme_.barrier), row.read_barrier, Align::centre);
    if (row.reuses) canvas_.text_in(cell(place, 5), mono, second, "U", Align::centre);
    // The number of live registers, with a bar against the largest one.
    const Box live = cell(place, 6);
    const float share = static_cast<float>(row.live) / static_cast<float>(std::max<std::size_t>(pane_.peak, 1));
    const bool most = row.live == pane_.peak && pane_.peak > 0;
    canvas_.fill({live.right() - live.width * share * 0.9f, live.y + 3, live.width * share * 0.9f, live.height - 6},
                 tinted(theme_.memory, most ? 0.55f : 0.3f), 2);
    canvas_.text_in({live.x, live.y, live.width - 5, live.height}, mono, text, std::to_string(row.live), Align::right);
  }

  void take_keys(std::size_t fits) {
    const auto number = static_cast<std::size_t>(pane_.rows[pane_.focus].number);
    const Box list = {box_.x, box_.y + list_head_height, box_.width, box_.height - list_head_height - legend_height};
    const std::size_t chosen =
        ui_->list(pane_.control, list, number, static_cast<std::size_t>(pane_.count), fits, false);
    if (chosen != number) choose(static_cast<std::int64_t>(chosen));
    if (const float wheel = ui_->wheel(list); wheel != 0)
      choose(std::clamp<std::int64_t>(static_cast<std::int64_t>(number) + (wheel < 0 ? 1 : -1), 0, pane_.count - 1));
  }

  PartColumns at_ = part_columns(canvas_, box_);
  pictures::Touch touch_;
};

/// The explanation of the selected instruction, from the top down.
class Explanation : Half {
 public:
  using Half::Half;

  void paint() {
    pictures::paint_cut(canvas_, ui_, {box_.x, y_, box_.width, 22}, Style::mono, faded(theme_.text), pane_.selected);
    y_ += 25;
    y_ += canvas_.paragraph({box_.x, y_}, Style::label, faded(theme_.text), pane_.does, box_.width, 3) + 2;
    for (const auto& [modifier, meaning] : pane_.modifiers) {
      const float width = canvas_.text({box_.x, y_}, Style::mono_small, faded(theme_.second), modifier) + 8;
      pictures::paint_cut(canvas_, ui_, {box_.x + width, y_, box_.width - width, line_}, Style::label,
                          faded(theme_.second), meaning);
      y_ += line_;
    }
    y_ += 4;
    for (const std::string& sentence : pane_.schedule) {
      canvas_.dot({box_.x + 3, y_ + line_ / 2}, 2, faded(theme_.barrier));
      y_ += canvas_.paragraph({box_.x + 12, y_}, Style::label, faded(theme_.text), sentence, box_.width - 12, 2);
    }
    y_ += 10;
    paint_registers();
    paint_constants();
  }

 private:
  void heading(const std::string& words) {
    canvas_.line({box_.x, y_ - 4}, {box_.right(), y_ - 4}, faded(theme_.line), theme_.hairline);
    pictures::paint_cut(canvas_, ui_, {box_.x, y_, box_.width, 18}, Style::small_caps, faded(theme_.second), words);
    y_ += 20;
  }

  void paint_registers() {
    heading(pane_.head_registers);
    const float label = 28, room = box_.width - label;
    // The cells are as large as possible with at most three rows of general registers.
    std::size_t most = 1;
    for (const InstructionPane::Registers& registers : pane_.registers) most = std::max(most, registers.cells.size());
    const float size = std::clamp(room * 3 / static_cast<float>(most + 3), 5.0f, 13.0f);
    const auto in_row = static_cast<std::size_t>(room / size);
    float right = 0;  // of the last group, so that short ones share a row
    for (const InstructionPane::Registers& registers : pane_.registers) {
      const float width = label + size * static_cast<float>(registers.cells.size());
      if (right > 0 && right + 14 + width > box_.width) {
        y_ += size + 5;
        right = 0;
      }
      if (y_ + size > box_.bottom()) return;  // no room for more
      const float x0 = box_.x + (right > 0 ? right + 14 : 0);
      canvas_.text_in({x0, y_, label, size}, Style::label, faded(theme_.second), registers.name);
      for (std::size_t i = 0; i < registers.cells.size(); ++i) {
        if (i > 0 && i % in_row == 0) y_ += size;
        paint_register({x0 + label + size * static_cast<float>(i % in_row), y_, size - 2, size - 2},
                       registers.cells[i]);
      }
      right = registers.cells.size() > in_row ? box_.width : x0 - box_.x + width;
    }
    y_ += size + 4;
    if (y_ + line_ > box_.bottom()) return;
    pictures::paint_cut(canvas_, ui_, {box_.x, y_, box_.width, line_}, Style::label, faded(theme_.second),
                        pane_.peak_note);
    y_ += line_ + 10;
  }

  // Filled: live. A triangle that points down: read; up: written.
  void paint_register(const Box& place, const std::pair<std::string, Use>& cell) {
    const auto& [name, use] = cell;
    const bool reads = use == Use::read || use == Use::read_written;
    const bool writes = use == Use::written || use == Use::read_written;
    if (use == Use::free)
      canvas_.outline(place, faded(theme_.line), 2, theme_.hairline);
    else
      canvas_.fill(place,
                   faded(writes  ? theme_.done
                         : reads ? theme_.memory
                                 : draw::mixed(theme_.memory, theme_.panel, 0.4f)),
                   2);
    const float middle = place.x + place.width / 2, half = place.width * 0.3f;
    const float y = place.y + place.height / 2, lift = use == Use::read_written ? half * 0.7f : 0;
    const ImU32 mark = faded(theme_.on_colour);
    if (reads)
      canvas_.triangle({middle - half, y + lift - half / 2}, {middle + half, y + lift - half / 2},
                       {middle, y + lift + half / 2}, mark);
    if (writes)
      canvas_.triangle({middle - half, y - lift + half / 2}, {middle + half, y - lift + half / 2},
                       {middle, y - lift - half / 2}, mark);
    if (ui_ == nullptr) return;
    ui_->point(place, name);
    if (ui_->hovered(place)) ui_->tooltip(name + ": " + pane_.uses[static_cast<std::size_t>(use)]);
  }

  void paint_constants() {
    const float height = 18;
    if (pane_.constants.empty() || y_ + 20 + height > box_.bottom()) return;
    heading(pane_.head_constants);
    const auto fits = static_cast<std::size_t>(std::max(0.0f, (box_.bottom() - y_) / height));
    // If not all rows fit, rows without a known value are omitted, unless the instruction reads them.
    std::vector<const InstructionPane::Constant*> rows;
    for (const InstructionPane::Constant& row : pane_.constants)
      if (pane_.constants.size() <= fits || row.read || !row.value.empty()) rows.push_back(&row);
    // The last line says how many are left out.
    const std::size_t shown =
        pane_.constants.size() <= fits ? fits : std::min(rows.size(), std::max<std::size_t>(fits, 1) - 1);
    const auto read = std::ranges::find_if(rows, &InstructionPane::Constant::read);
    const auto at = static_cast<std::size_t>(read == rows.end() ? 0 : read - rows.begin());
    const std::size_t last_start = rows.size() > shown ? rows.size() - shown : 0;
    const std::size_t from = std::min(at > shown / 2 ? at - shown / 2 : 0, last_start);
    const float digit = canvas_.text_width(Style::mono_small, "0");
    for (std::size_t i = from; i < std::min(from + shown, rows.size()); ++i, y_ += height) {
      const InstructionPane::Constant& row = *rows[i];
      const Box place = {box_.x, y_, box_.width, height};
      if (row.read)
        canvas_.fill({place.x - 6, place.y, place.width + 12, height},
                     faded(draw::mixed(theme_.now, theme_.ground, 0.2f)), 4);
      const float first = digit * 6.5f;
      const bool known = !row.value.empty();
      const std::string& value = known ? row.value : row.missing;
      const Style style = known ? Style::mono_small : Style::label;
      const float value_room = std::min(canvas_.text_width(style, value) + 4, (box_.width - first) * 0.6f);
      pictures::paint_cut(canvas_, ui_, {place.x, y_, first, height}, Style::mono_small,
                          faded(row.read ? theme_.now : theme_.faint), row.place);
      pictures::paint_cut(canvas_, ui_, {place.x + first, y_, box_.width - first - value_room - 8, height},
                          Style::label, faded(theme_.second), row.name);
      pictures::paint_cut(canvas_, ui_, {place.right() - value_room, y_, value_room, height}, style,
                          faded(known ? theme_.text : theme_.faint), value, Align::right);
      if (ui_ == nullptr) continue;
      ui_->point(place, row.name);
      if (ui_->hovered(place) && known)
        ui_->tooltip(pictures::figure_tip(*ui_, row.name, story::Figure::recorded(row.value, row.origin)));
    }
    if (pane_.constants.size() > shown)
      pictures::paint_cut(canvas_, ui_, {box_.x, y_, box_.width, height}, Style::label, faded(theme_.second),
                          pane_.more_constants + " " + std::to_string(pane_.constants.size() - shown));
  }

  float y_ = box_.y;
  float line_ = canvas_.line_height(Style::label) * 1.2f;
};

}  // namespace

pictures::Touch paint_instruction_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const InstructionPane& pane,
                                       float shown) {
  if (!pane.missing.empty()) {
    canvas.paragraph({box.x, box.y + 12}, Style::body, draw::mixed(canvas.theme().second, canvas.theme().ground, shown),
                     pane.missing, std::min(box.width, 640.0f), 6);
    return {};
  }
  const float between = 22;
  const float listing = std::clamp(box.width * 0.62f, 300.0f, 720.0f);
  pictures::Touch touch = Listing(canvas, ui, {box.x, box.y, listing, box.height}, pane, shown).paint();
  const Box rest = {box.x + listing + between, box.y, box.width - listing - between - 6, box.height};
  if (rest.width > 120) Explanation(canvas, ui, rest, pane, shown).paint();
  return touch;
}

}  // namespace warpwalk::scenes
