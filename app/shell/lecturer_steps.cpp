#include "app/shell/lecturer_steps.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::shell {

using draw::Box;
using draw::Key;
using draw::Style;

void StepList::show(std::vector<StepRow> rows, std::size_t present) {
  rows_ = std::move(rows);
  shown_ = !rows_.empty();
  present_ = chosen_ = present;
  choice_.reset();
}

bool StepList::key(const draw::KeyPress& press) {
  if (!shown_) return false;
  switch (press.key) {
    case Key::up: choose(chosen_ == 0 ? 0 : chosen_ - 1); return true;
    case Key::down: choose(chosen_ + 1); return true;
    case Key::home: choose(0); return true;
    case Key::end: choose(rows_.size() - 1); return true;
    case Key::enter: go(chosen_); return true;
    case Key::escape: hide(); return true;
    default: return false;
  }
}

void StepList::go(std::size_t row) {
  choice_ = row;
  hide();
}

std::optional<std::size_t> StepList::take_choice() { return std::exchange(choice_, std::nullopt); }

void StepList::paint(draw::Canvas& canvas, const draw::Input& input, const Box& box, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, words.text("lecturer", "steps"), box.width);
  constexpr float head = 26, pad = 10, gap = 12;
  const float high = std::max(30.0f, 1.6f * canvas.line_height(Style::body));
  const Box area = {box.x, box.y + head, box.width, box.height - head};
  visible_ = std::max<std::size_t>(1, static_cast<std::size_t>(area.height / high));
  const std::size_t last = rows_.size() > visible_ ? rows_.size() - visible_ : 0;
  if (input.wheel > 0) choose(chosen_ == 0 ? 0 : chosen_ - 1);
  if (input.wheel < 0) choose(chosen_ + 1);
  first_ = std::min({first_, chosen_, last});
  if (chosen_ >= first_ + visible_) first_ = chosen_ + 1 - visible_;
  std::optional<std::size_t> pressed;
  const float number_width = canvas.text_width(Style::body, std::to_string(rows_.size()));
  for (std::size_t row = first_; row < std::min(rows_.size(), first_ + visible_); ++row) {
    const StepRow& step = rows_[row];
    const Box line = {area.x, area.y + static_cast<float>(row - first_) * high, area.width, high};
    const bool pointed = input.mouse.x >= line.x && input.mouse.x < line.right() && input.mouse.y >= line.y &&
                         input.mouse.y < line.bottom();
    if (row == chosen_ || pointed) canvas.fill(line, theme.panel, 6);
    if (row == chosen_) canvas.outline(line, theme.now, 6, 2);
    std::string time = step.used_seconds >= 1 ? minutes_text(step.used_seconds) : "";
    if (step.minutes > 0)
      time = words.text("lecturer", time.empty() ? "planned" : "used_of",
                        {{"used", time}, {"minutes", base::with_marks(fmt::format("{:g}", step.minutes))}});
    const float time_width = canvas.text_width(Style::label, time);
    const Box number = {line.x + pad, line.y, number_width, high};
    const float title_x = number.right() + gap;
    const Box title = {title_x, line.y, line.right() - pad - title_x - (time.empty() ? 0 : time_width + gap), high};
    const ImU32 colour = row == present_ ? theme.now : theme.text;
    canvas.text_in(number, Style::body, theme.second, std::to_string(row + 1), draw::Align::right);
    canvas.text_in(title, Style::body, colour, step.title);
    canvas.text_in({line.right() - pad - time_width, line.y, time_width, high}, Style::label,
                   step.minutes > 0 && step.used_seconds > 60 * step.minutes ? theme.launch : theme.second, time);
    if (pointed && input.mouse_pressed) pressed = row;
  }
  if (pressed) go(*pressed);
  if (rows_.size() <= visible_) return;
  // Where in the list the visible rows are.
  const float part = area.height / static_cast<float>(rows_.size());
  canvas.fill({area.right() + 3, area.y + part * static_cast<float>(first_), 3, part * static_cast<float>(visible_)},
              theme.faint, 1.5f);
}

std::string minutes_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace warpwalk::shell
