#include "app/pages/help.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/panels/sheet.h"

namespace warpwalk::pages {
namespace {

constexpr float help_column = 540, help_gap = 32, widest_help_step = 24;
// In steps of a line: a heading with the space above it.
constexpr float heading_steps = 1.7f;

float steps_of(const KeyGroup& group) { return heading_steps + static_cast<float>(group.lines.size()); }

// The number of groups in the left column: so many that both columns are about equally high.
std::size_t groups_on_the_left() {
  const std::vector<KeyGroup>& groups = key_groups();
  float all = 0;
  for (const KeyGroup& group : groups) all += steps_of(group);
  float left = 0, least = all;
  std::size_t best = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    left += steps_of(groups[i]);
    if (std::max(left, all - left) >= least) continue;
    least = std::max(left, all - left);
    best = i + 1;
  }
  return best;
}

float steps_of(std::size_t from, std::size_t to) {
  float steps = 0;
  for (std::size_t i = from; i < to; ++i) steps += steps_of(key_groups()[i]);
  return steps;
}

}  // namespace

void HelpPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<KeyGroup>& groups = key_groups();
  const std::size_t left = groups_on_the_left();
  const float high = std::max(steps_of(0, left), steps_of(left, groups.size()));
  const draw::Box box = panels::sheet(ui, 2 * help_column + help_gap, widest_help_step * high,
                                      ui.word("help", "heading"), ui.word("help", "closing"));
  const float step = std::min(widest_help_step, box.height / high);
  const float width = (box.width - help_gap) / 2;
  float keys_width = 0;
  for (const KeyGroup& group : groups)
    for (const KeyLine& line : group.lines)
      keys_width = std::max(keys_width, canvas.text_width(draw::Style::mono_small, keys_of(line, ui.words())));
  keys_width = std::min(std::ceil(keys_width), 0.4f * width);
  float y = box.y;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == left) y = box.y;
    const float x = i < left ? box.x : box.x + width + help_gap;
    const float head = heading_steps * step;
    canvas.text({x, y + head - step}, draw::Style::small_caps, theme.second, ui.word("key_group", groups[i].name),
                width);
    y += head;
    for (const KeyLine& line : groups[i].lines) {
      canvas.text_in({x, y, keys_width, step}, draw::Style::mono_small, theme.text, keys_of(line, ui.words()));
      canvas.text_in({x + keys_width + 16, y, width - keys_width - 16, step}, draw::Style::label, theme.second,
                     ui.word("keys", line.what));
      y += step;
    }
  }
}

}  // namespace warpwalk::pages
