#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/pages/timeline/timeline_frame.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float least_head_height = 52, heading_width = 116, hint_line_height = 19, found_width = 132;

float field_width(const Canvas& canvas) { return canvas.width() < 1200 ? 180.0f : 220.0f; }

// Breaks a text of keys, which three spaces separate, into lines of this width.
std::vector<std::string> filled_lines(const Canvas& canvas, std::string_view keys, float width) {
  constexpr std::string_view gap = "   ";
  std::vector<std::string> lines = {""};
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(gap), keys.size());
    const std::string key(keys.substr(0, end));
    keys.remove_prefix(std::min(end + gap.size(), keys.size()));
    const std::string longer = lines.back().empty() ? key : lines.back() + std::string(gap) + key;
    if (lines.back().empty() || canvas.text_width(Style::label, longer) <= width)
      lines.back() = longer;
    else
      lines.push_back(key);
  }
  return lines;
}

// As few lines as fit, of about the same length.
std::vector<std::string> lines_of_keys(const Canvas& canvas, std::string_view keys, float width) {
  std::vector<std::string> lines = filled_lines(canvas, keys, width);
  if (lines.size() == 1) return lines;
  float low = width / 2, high = width;
  while (high - low > 16) {
    const float middle = (low + high) / 2;
    std::vector<std::string> narrower = filled_lines(canvas, keys, middle);
    if (narrower.size() > lines.size()) {
      low = middle;
    } else {
      high = middle;
      lines = std::move(narrower);
    }
  }
  return lines;
}

Box box_of_keys(const Canvas& canvas, bool searching, float height) {
  const float left = timeline_margin + heading_width + field_width(canvas) + (searching ? found_width : 0) + 24;
  return {left, 0, canvas.width() - timeline_margin - left, height};
}

// "3 of 12": the match that was gone to.
std::string found_text(const draw::Ui& ui, const TimelineSearch& search) {
  const auto count = static_cast<std::int64_t>(search.matches.slices.size());
  if (count == 0) return ui.word("timeline", "found.none");
  const std::string all = story::with_thousands(count);
  if (!search.at) return ui.word("timeline", "found.some", {{"count", all}});
  return ui.word("timeline", "found.at",
                 {{"n", story::with_thousands(static_cast<std::int64_t>(*search.at) + 1)}, {"count", all}});
}

}  // namespace

float timeline_head_height(draw::Ui& ui) {
  const Box box = box_of_keys(ui.canvas(), false, 0);
  const std::size_t lines = lines_of_keys(ui.canvas(), ui.word("timeline", "keys"), box.width).size();
  return std::max(least_head_height, hint_line_height * static_cast<float>(lines) + 8);
}

void paint_timeline_head(TimelineFrame& page, float height) {
  draw::Ui& ui = page.ui;
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  TimelineSearch& search = page.state.search;
  canvas.text_in({timeline_margin, 0, heading_width, height}, Style::heading, theme.text,
                 ui.word("timeline", "heading"));
  const Box field = {timeline_margin + heading_width, (height - 32) / 2, field_width(canvas), 32};
  if (ui.activated("timeline.search", field)) start_search(page.state);
  draw::point_field(ui, "timeline.search", field, search.field);
  draw::paint_field(canvas, field, search.field, page.state.typing == TimelineTyping::search,
                    ui.word("timeline", "search"));
  if (search.on())
    canvas.text_in({field.right() + 12, 0, found_width, height}, Style::mono_small, theme.text, found_text(ui, search));
  const char* const key = page.state.typing == TimelineTyping::search ? "keys.search"
                          : page.state.typing == TimelineTyping::note ? "keys.note"
                                                                      : "keys";
  const Box keys = box_of_keys(canvas, search.on(), height);
  std::vector<std::string> lines = lines_of_keys(canvas, ui.word("timeline", key), keys.width);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (height - 4) / hint_line_height));
  if (lines.size() > room) lines.resize(room);  // beside the number of matches there is less room
  float y = (height - hint_line_height * static_cast<float>(lines.size())) / 2;
  for (const std::string& line : lines) {
    canvas.text_in({keys.x, y, keys.width, hint_line_height}, Style::label, theme.second, line, Align::right);
    y += hint_line_height;
  }
}

}  // namespace warpwalk::pages
