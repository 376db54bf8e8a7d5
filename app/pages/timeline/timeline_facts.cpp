#include "app/pages/timeline/timeline_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/draw/text/utf8.h"
#include "app/pages/timeline/timeline_arguments.h"
#include "app/pages/timeline/timeline_times.h"
#include "core/analysis/slices.h"
#include "core/base/text.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float field_line_height = 20, facts_button_height = 26, field_indent = 14, key_width = 136;
constexpr std::size_t longest_value = 20000;  // characters that are listed; the rest can be copied

// What the panel says of a slice beyond the fields in the file.
std::vector<SliceField> related_fields(const draw::Ui& ui, const trace::Trace& trace, trace::SliceId slice,
                                       std::int64_t resolution) {
  const trace::Slices& rows = trace.slices;
  std::vector<SliceField> fields;
  const auto add = [&](const char* key, std::string value) {
    fields.push_back({ui.word("timeline", key), std::move(value)});
  };
  const std::int64_t time = rows.duration[slice], start = analysis::since_start(trace, rows.start[slice]);
  const std::string origin = ui.word("origin", trace::name_of(trace.records.time_origin()));
  add("takes", fmt::format("{}  {}", point_text(time, time / 10000), origin));
  const std::int64_t fine = std::min(resolution, time / 10);
  add("starts", point_text(start, fine));
  add("ends", point_text(start + time, fine));
  if (trace::is_gpu_work(rows.kind[slice])) {
    const trace::SliceId launch = trace::launch_of(trace, slice), op = trace::op_of(trace, slice);
    if (launch != trace::no_slice) {
      add("launched_by", analysis::label_of(trace, launch));
      add("after_launch", duration_digits(rows.start[slice] - rows.start[launch]));
    }
    if (op != trace::no_slice) add("op", analysis::label_of(trace, op));
  } else {
    const trace::SliceId target = slice_to_follow(trace, slice);
    if (trace::is_call(rows.kind[slice]) && target != trace::no_slice && trace::is_gpu_work(rows.kind[target])) {
      add("launches", analysis::label_of(trace, target));
      add("after_launch", duration_digits(rows.start[target] - rows.start[slice]));
    }
    if (rows.parent[slice] != trace::no_slice) add("inside", analysis::label_of(trace, rows.parent[slice]));
  }
  return fields;
}

// The fields in the file, with the name, the track and the category before them.
std::vector<SliceField> fields_in_file(const draw::Ui& ui, const trace::Trace& trace, trace::SliceId slice) {
  const trace::Track& track = trace.tracks[trace.slices.track[slice]];
  std::vector<SliceField> fields = {
      {ui.word("timeline", "name"), std::string(trace.name(slice))},
      {ui.word("timeline", "track"), story::track_label(ui.words(), trace, trace.slices.track[slice])},
      {ui.word("timeline", "process"), std::string(trace.text(track.pid))},
      {ui.word("timeline", "category"), std::string(category_of_slice(trace, slice))}};
  if (track.name != 0) fields.push_back({ui.word("timeline", "track_name"), std::string(trace.text(track.name))});
  std::erase_if(fields, [](const SliceField& field) { return field.value.empty(); });
  std::ranges::move(recorded_fields(trace, slice), std::back_inserter(fields));
  return fields;
}

// The bytes of a text that fit into a number of characters.
std::size_t bytes_that_fit(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  while (characters-- > 0 && at < text.size()) at = draw::character_after(text, at);
  return at;
}

// Breaks a field into lines: the value beside the key if it fits, else below it. `each`: the width of a character of a
// value.
void add_field(draw::Ui& ui, std::vector<FieldLine>& lines, const SliceField& field, float width, float each) {
  const auto fit = [&](float room) { return static_cast<std::size_t>(std::max(1.0f, std::floor(room / each))); };
  const std::vector<std::string_view> parts = base::lines_of(field.value);
  const float beside = std::max(key_width, ui.canvas().text_width(Style::label, field.key) + 12);
  if (parts.size() == 1 && beside + 8 * each < width &&
      bytes_that_fit(parts.front(), fit(width - beside)) == parts.front().size()) {
    lines.push_back({FieldLine::Kind::field, field.key, base::one_line(field.value), beside});
    return;
  }
  for (std::string& key : ui.canvas().wrapped(Style::label, base::one_line(field.key), width, 100))
    lines.push_back({FieldLine::Kind::field, std::move(key), {}, 0});
  std::size_t room = longest_value;
  const std::size_t below = fit(width - field_indent);
  for (std::string_view part : parts)
    while (!part.empty()) {
      const std::size_t bytes = bytes_that_fit(part, std::min(room, below));
      if (bytes == 0) {
        lines.push_back({FieldLine::Kind::note, ui.word("timeline", "cut"), {}, 0});
        return;
      }
      lines.push_back({FieldLine::Kind::field, {}, base::one_line(std::string(part.substr(0, bytes))), field_indent});
      room -= std::min(room, below);
      part.remove_prefix(bytes);
    }
}

void update_fields(draw::Ui& ui, const trace::Trace& trace, trace::SliceId slice, std::int64_t resolution, float width,
                   FieldList& list) {
  if (list.slice == slice && list.width == width && list.resolution == resolution) return;
  if (list.slice != slice) list.first = 0;
  list.slice = slice;
  list.width = width;
  list.resolution = resolution;
  list.lines.clear();
  const float each = std::max(1.0f, ui.canvas().text_width(Style::mono_small, "0"));
  for (const SliceField& field : related_fields(ui, trace, slice, resolution))
    add_field(ui, list.lines, field, width, each);
  list.lines.push_back({FieldLine::Kind::caption, ui.word("timeline", "recorded"), {}, 0});
  for (const SliceField& field : fields_in_file(ui, trace, slice)) add_field(ui, list.lines, field, width, each);
}

void paint_field_line(Canvas& canvas, const Box& box, const FieldLine& line) {
  const draw::Theme& theme = canvas.theme();
  const Style style = line.kind == FieldLine::Kind::caption ? Style::small_caps : Style::label;
  // A key is not cut: it was measured with the width of the list.
  if (!line.key.empty()) canvas.text_in({box.x, box.y, box.width + 2, box.height}, style, theme.second, line.key);
  if (!line.value.empty())
    canvas.text_in({box.x + line.indent, box.y, box.width - line.indent + 2, box.height}, Style::mono_small, theme.text,
                   line.value);
}

}  // namespace

trace::SliceId slice_to_follow(const trace::Trace& trace, trace::SliceId slice) {
  if (slice == trace::no_slice) return slice;
  const trace::SliceKind kind = trace.slices.kind[slice];
  if (kind == trace::SliceKind::op || trace::is_gpu_work(kind)) return slice;
  if (trace::is_call(kind)) {
    const std::size_t first = trace::first_launched(trace, slice);
    if (first < trace.launched.size() && trace.launched[first].first == slice) return trace.launched[first].second;
  }
  return trace::enclosing(trace, slice, trace::SliceKind::op);
}

std::size_t scrolled_to(draw::Ui& ui, std::string_view id, const Box& box, std::size_t first, std::size_t rows,
                        std::size_t room) {
  if (rows <= room) return 0;
  const std::size_t last = rows - room;
  const auto wheel = static_cast<std::ptrdiff_t>(std::lround(-3 * ui.wheel(box)));
  const auto at =
      std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(first) + wheel, 0, static_cast<std::ptrdiff_t>(last));
  return ui.list(id, box, static_cast<std::size_t>(at), last + 1, std::max<std::size_t>(room, 2) - 1, false);
}

void paint_scroll_mark(Canvas& canvas, const Box& box, std::size_t first, std::size_t rows, std::size_t room) {
  if (rows <= room) return;
  const draw::Theme& theme = canvas.theme();
  const float mark = std::max(16.0f, box.height * static_cast<float>(room) / static_cast<float>(rows));
  const float at = static_cast<float>(first) / static_cast<float>(rows - room);
  canvas.fill({box.right() - 4, box.y + (box.height - mark) * at, 4, mark},
              draw::mixed(theme.second, theme.ground, 0.5f), 2);
}

std::string text_of_fields(const draw::Ui& ui, const trace::Trace& trace, trace::SliceId slice) {
  std::string text;
  const auto add = [&](const SliceField& field) { text += fmt::format("{}: {}\n", field.key, field.value); };
  for (const SliceField& field : related_fields(ui, trace, slice, 1)) add(field);
  for (const SliceField& field : fields_in_file(ui, trace, slice)) add(field);
  return text;
}

FactsChoice timeline_slice(draw::Ui& ui, const Box& box, const trace::Trace& trace, trace::SliceId slice,
                           std::int64_t resolution, FieldList& fields) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (slice == trace::no_slice) {
    canvas.paragraph({box.x, box.y}, Style::label, theme.second, ui.word("timeline", "no_slice"), box.width, 3);
    return {};
  }
  float y = box.y;
  canvas.text_in({box.x, y, box.width, 22}, Style::small_caps, theme.second,
                 ui.word("timeline_kind", story::name_of(story::role_of(trace, slice, {}))));
  y += 22;
  // The whole name is among the fields.
  const int name_lines = box.height > 200 ? 2 : 1;
  y += canvas.paragraph({box.x, y}, Style::body, theme.text, trace.name(slice), box.width, name_lines) + 4;
  const float bottom = box.bottom() - facts_button_height - 4;
  const auto room = static_cast<std::size_t>(std::max(1.0f, (bottom - y) / field_line_height));
  const Box list = {box.x, y, box.width, field_line_height * static_cast<float>(room)};
  update_fields(ui, trace, slice, resolution, box.width - 10, fields);
  fields.first = scrolled_to(ui, "timeline.fields", list, fields.first, fields.lines.size(), room);
  const std::size_t last = std::min(fields.lines.size(), fields.first + room);
  for (std::size_t i = fields.first; i < last; ++i, y += field_line_height)
    paint_field_line(canvas, {list.x, y, list.width - 10, field_line_height}, fields.lines[i]);
  paint_scroll_mark(canvas, list, fields.first, fields.lines.size(), room);

  FactsChoice choice;
  float x = box.x - 8;
  const auto button = [&](const char* id, const char* key) {
    const std::string word = ui.word("timeline", key);
    const Box place = {x, box.bottom() - facts_button_height, canvas.text_width(Style::label, word) + 16,
                       facts_button_height};
    x = place.right() + 4;
    return ui.button(id, place, word);
  };
  if (slice_to_follow(trace, slice) != trace::no_slice) choice.follow = button("timeline.follow", "follow");
  choice.copy_name = button("timeline.copy", "copy");
  return choice;
}

}  // namespace warpwalk::pages
