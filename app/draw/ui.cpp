#include "app/draw/ui.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::draw {

bool Ui::hovered(const Box& box) const {
  const Point at = input_.mouse;
  return at.x >= box.x && at.x < box.right() && at.y >= box.y && at.y < box.bottom();
}

void Ui::ring(const Box& box) {
  canvas_.outline({box.x - 2, box.y - 2, box.width + 4, box.height + 4}, theme().text, 8, 2);
}

bool Ui::activated(std::string_view id, const Box& box) {
  order_.push_back({std::string(id)});
  bool hit = false;
  if (hovered(box) && input_.mouse_pressed) {
    memory_.held = id;
    memory_.focus = id;
    memory_.focus_shown = false;
  }
  if (memory_.held == id && input_.mouse_released) hit = hovered(box);
  if (focused(id)) {
    for (const KeyPress& press : input_.keys) hit = hit || (press.key == Key::enter && !press.control);
    if (memory_.focus_shown) ring(box);
  }
  return hit;
}

bool Ui::dragged(std::string_view id, const Box& box) {
  if (hovered(box) && input_.mouse_pressed) memory_.held = id;
  return memory_.held == id && (input_.mouse_down || input_.mouse_pressed);
}

std::optional<std::size_t> Ui::slider(std::string_view id, const Box& box, std::size_t at, std::size_t last) {
  activated(id, box);
  order_.back().across = true;
  std::size_t wanted = at;
  if (dragged(id, box) && box.width > 0) {
    const float share = std::clamp((input_.mouse.x - box.x) / box.width, 0.0f, 1.0f);
    wanted = static_cast<std::size_t>(std::lround(share * static_cast<float>(last)));
  }
  const float notches = wheel(box);
  if (notches > 0 && wanted < last) ++wanted;
  if (notches < 0 && wanted > 0) --wanted;
  if (focused(id) && memory_.focus_shown) {
    for (const KeyPress& press : input_.keys) {
      if (press.key == Key::right && wanted < last) ++wanted;
      if (press.key == Key::left && wanted > 0) --wanted;
      if (press.key == Key::home) wanted = 0;
      if (press.key == Key::end) wanted = last;
    }
  }
  if (wanted == at) return {};
  return wanted;
}

std::size_t Ui::list(std::string_view id, const Box& box, std::size_t at, std::size_t rows, std::size_t page,
                     bool always) {
  order_.push_back({std::string(id), false, true});
  if (focus_shown(id)) ring(box);
  if (rows == 0 || !(always || focus_shown(id))) return at;
  const std::size_t last = rows - 1;
  for (const KeyPress& press : input_.keys) {
    if (press.key == Key::down) at = std::min(at + 1, last);
    if (press.key == Key::up) at -= std::min<std::size_t>(at, 1);
    if (press.key == Key::page_down) at = std::min(at + page, last);
    if (press.key == Key::page_up) at -= std::min(at, page);
    if (press.key == Key::home) at = 0;
    if (press.key == Key::end) at = last;
  }
  return at;
}

void Ui::text_place(std::string_view id, const Box& box) {
  activated(id, box);
  order_.back().text = true;
}

bool Ui::button(std::string_view id, const Box& box, std::string_view word, bool on) {
  const bool over = hovered(box);
  const Theme& t = theme();
  if (on || over) canvas_.fill(box, mixed(t.second, t.panel, on ? 0.28f : 0.16f), 6);
  canvas_.text_in(box, Style::label, on || over ? t.text : t.second, word, Align::centre);
  return activated(id, box);
}

void Ui::finish() {
  const auto focused_place = [&] {
    return std::find_if(order_.begin(), order_.end(), [&](const Place& place) { return place.id == memory_.focus; });
  };
  for (const KeyPress& press : input_.keys) {
    if (press.key != Key::tab || order_.empty()) continue;
    const auto at = focused_place();
    std::size_t next = 0;
    if (at != order_.end()) {
      const auto i = static_cast<std::size_t>(at - order_.begin());
      next = (i + (press.shift ? order_.size() - 1 : 1)) % order_.size();
    }
    memory_.focus = order_[next].id;
    memory_.focus_shown = true;
  }
  const auto at = focused_place();
  memory_.takes_across = memory_.focus_shown && at != order_.end() && at->across;
  memory_.takes_along = memory_.focus_shown && at != order_.end() && at->along;
  memory_.takes_text = at != order_.end() && at->text;
  if (input_.mouse_released) memory_.held.clear();
  if (tooltip_.empty()) return;
  constexpr float pad = 10, widest = 420;
  std::vector<std::string> lines;
  for (std::string_view rest = tooltip_; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    for (std::string& line : canvas_.wrapped(Style::label, rest.substr(0, end), widest, 12))
      lines.push_back(std::move(line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, canvas_.text_width(Style::label, line));
  const float step = canvas_.line_height(Style::label) * 1.2f;
  Box box = {tooltip_at_.x + 14, tooltip_at_.y + 18, width + 2 * pad,
             step * static_cast<float>(lines.size()) + 2 * pad - 4};
  box.x = std::clamp(box.x, 4.0f, std::max(4.0f, canvas_.width() - box.width - 4));
  // Near the bottom, the tooltip is above the pointer so that it does not hide the time strip and the sliders.
  if (box.bottom() > canvas_.height() - 4 || tooltip_at_.y > canvas_.height() * 0.85f)
    box.y = std::max(4.0f, tooltip_at_.y - box.height - 8);
  canvas_.fill(box, theme().panel, 6);
  canvas_.outline(box, theme().second, 6, theme().hairline);
  float y = box.y + pad - 1;
  for (const std::string& line : lines) {
    canvas_.text({box.x + pad, y}, Style::label, theme().text, line);
    y += step;
  }
}

}  // namespace warpwalk::draw
