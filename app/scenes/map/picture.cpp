// The company drawn as hardware, and the time that each part took.
#include <algorithm>

#include "app/pictures/axis.h"
#include "app/pictures/text.h"
#include "app/scenes/map/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float roomy_height = 140;  // height of a station with full text, and with less text
constexpr float low_height = 88, lowest_height = 76;
constexpr float narrow_station = 110;  // in a narrower one, texts begin further left
constexpr float line_head_room = 50;   // from the stations to the first line
constexpr float axis_room = 36;
constexpr float total_room = 50;

// In a narrow box, the gap between the seven stations is smaller.
float station_gap(float width) { return width < 800 ? 12.0f : 16.0f; }

bool any_counted(const story::ReceiptPicture& picture) {
  return !picture.compared.empty() ||
         std::any_of(picture.counted.begin(), picture.counted.end(), [](const auto& line) { return line.shown > 0; });
}

// The lines of the receipt have priority: in a low box, the stations show less text or disappear.
float station_height(const Box& box, const story::ReceiptPicture& picture) {
  const bool any = std::any_of(picture.lines.begin(), picture.lines.end(), [](const auto& l) { return l.shown > 0; });
  if (any_counted(picture)) {
    const float lines = line_head_room + (picture.banner.empty() ? 0 : pictures::banner_height) +
                        30 * static_cast<float>(picture.counted.size() + picture.compared.size());
    return box.height >= lines + roomy_height ? roomy_height : box.height >= lines + low_height ? low_height : 0;
  }
  const float rest = line_head_room + axis_room + total_room + 28 * static_cast<float>(picture.lines.size());
  if (!any || box.height >= rest + roomy_height) return roomy_height;
  return box.height >= rest + lowest_height ? std::min(low_height, box.height - rest) : 0;
}
constexpr float label_room = 216;
constexpr float time_room = 150;
constexpr float share_room = 148;

// True if every word fits the width without a break.
bool whole_words(const Canvas& canvas, std::string_view text, float width) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (canvas.text_width(Style::heading, text.substr(0, end)) > width) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

void paint_station(Canvas& canvas, const Box& box, const story::Stage& stage, const story::Station& station) {
  const draw::Theme& theme = canvas.theme();
  const auto folded = static_cast<float>(station.folded);
  canvas.fill(box, theme.panel, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  const float pad = box.width < narrow_station ? 6 : 8;
  const float width = box.width - 2 * pad;
  const bool low = box.height < roomy_height;
  // The company's name dims while the larger hardware name fades in.
  canvas.text({box.x + pad, box.y + 9}, Style::label, draw::mixed(theme.second, theme.text, folded), station.company,
              width);
  float y = box.y + 32;
  const bool known = !station.value.empty();
  if (low) {
    // A name that needs two lines takes the value's place; so does nothing that would be cut.
    const bool one_line = canvas.text_width(Style::heading, station.hardware) <= width;
    y -= one_line ? 0 : 5;
    canvas.paragraph({box.x + pad, y}, one_line ? Style::heading : Style::label,
                     draw::mixed(theme.text, theme.panel, folded), station.hardware, width, 2);
    const Style style = known ? Style::mono_small : Style::label;
    const std::string& value = known ? station.value : station.missing;
    if (one_line && canvas.text_width(style, value) <= width)
      canvas.text({box.x + pad, box.bottom() - 26}, style,
                  draw::mixed(known ? theme.text : theme.second, theme.panel, folded), value, width);
    return;
  }
  y += canvas.paragraph({box.x + pad, y}, whole_words(canvas, station.hardware, width) ? Style::heading : Style::body,
                        draw::mixed(theme.text, theme.panel, folded), station.hardware, width, 2);
  const float value_y = box.bottom() - 2 * canvas.line_height(Style::mono_small) * 1.2f - 28;
  canvas.paragraph({box.x + pad, std::max(y, value_y)}, known ? Style::mono_small : Style::label,
                   draw::mixed(known ? theme.text : theme.second, theme.panel, folded),
                   known ? station.value : station.missing, width, 2);
  if (known)
    canvas.text({box.x + pad, box.bottom() - 25}, Style::small_caps, draw::mixed(theme.second, theme.panel, folded),
                stage.word_of(station.origin), width);
}

// The tasks of the stations are between them and `bottom`.
void paint_stations(Canvas& canvas, const Box& box, float bottom, const story::Stage& stage,
                    const std::vector<story::Station>& stations) {
  const draw::Theme& theme = canvas.theme();
  const auto count = static_cast<float>(stations.size());
  const float gap = station_gap(box.width);
  const float width = (box.width - gap * (count - 1)) / count;
  const float indent = width < narrow_station ? 0 : 10, task_y = box.bottom() + 16;
  const int task_lines =
      std::clamp(static_cast<int>((bottom - task_y) / (1.2f * canvas.line_height(Style::label))), 1, 9);
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const Box place = {box.x + static_cast<float>(i) * (width + gap), box.y, width, box.height};
    paint_station(canvas, place, stage, stations[i]);
    if (!stations[i].task.empty())
      canvas.paragraph({place.x + indent, task_y}, Style::label,
                       draw::mixed(theme.second, theme.ground, static_cast<float>(stations[i].folded)),
                       stations[i].task, place.width - (indent > 0 ? 12 : 0), task_lines);
    if (i + 1 == stations.size()) continue;
    const float y = place.y + place.height / 2;
    canvas.line({place.right() + 3, y}, {place.right() + gap - 4, y}, theme.second, 1.5f);
    canvas.line({place.right() + gap - 8, y - 4}, {place.right() + gap - 3, y}, theme.second, 1.5f);
    canvas.line({place.right() + gap - 8, y + 4}, {place.right() + gap - 3, y}, theme.second, 1.5f);
  }
}

void paint_line(Canvas& canvas, const pictures::Axis& axis, const Box& box, const story::ReceiptLine& line) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(line.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  if (box.height < 46) {
    canvas.text_in({box.x, box.y, label_room - 16, box.height}, Style::heading, faded(theme.text), line.label);
  } else {
    const float middle = box.y + box.height / 2;
    canvas.text({box.x, middle - 23}, Style::heading, faded(theme.text), line.label, label_room - 16);
    canvas.text({box.x, middle + 1}, Style::label, faded(theme.second), line.note, label_room - 16);
  }

  const float height = std::min(26.0f, box.height - 8);
  const float y = box.y + (box.height - height) / 2;
  const float left = axis.x(static_cast<double>(line.start));
  const float right = axis.x(static_cast<double>(line.start) + static_cast<double>(line.end - line.start) * line.shown);
  const ImU32 own = draw::colour_of(line.role, theme);
  const bool quiet = line.role == story::Role::op || line.role == story::Role::wait;
  const Box bar = {left, y, std::max(right - left, 2.0f), height};
  if (line.end > line.start) {
    canvas.fill(bar, faded(quiet ? draw::mixed(own, theme.ground, 0.38f) : own), 5);
    Box widest;
    for (const auto& [start, end] : line.hatched_parts) {
      const float from = axis.x(static_cast<double>(start));
      const float to = std::min(axis.x(static_cast<double>(end)), bar.right());
      if (to <= from) continue;
      const Box inner = {from, y, to - from, height};
      canvas.hatch(inner, faded(draw::mixed(own, theme.ground, 0.75f)));
      if (inner.width > widest.width) widest = inner;
    }
    if (const float width = canvas.text_width(Style::label, line.hatched) + 12;
        width + 12 < widest.width && height > 22) {
      const Box place = {widest.x + (widest.width - width) / 2, y + 3, width, height - 6};
      canvas.fill(place, faded(draw::mixed(own, theme.ground, 0.38f)));
      canvas.text_in(place, Style::label, faded(theme.text), line.hatched, Align::centre);
    }
    if (bar.width > 6) canvas.outline(bar, faded(own), 5, theme.hairline);
    if (line.current) canvas.outline({bar.x - 3, bar.y - 3, bar.width + 6, bar.height + 6}, faded(theme.now), 7, 2);
  } else {
    canvas.line({left, y}, {left, y + height}, faded(own), 1.5f);
  }
  const Box time = {axis.right + 16, box.y, time_room - 16, box.height};
  canvas.text_in(time, Style::figure, faded(theme.text), line.time->text(), Align::right);
  if (line.share)
    canvas.text_in({time.right(), box.y, share_room, box.height}, Style::mono, faded(theme.second), line.share->text(),
                   Align::right);
}

// Pointing at a station explains it and shows its full value.
void point_at_stations(draw::Ui& ui, const Box& box, const std::vector<story::Station>& stations) {
  const auto count = static_cast<float>(stations.size());
  const float gap = station_gap(box.width);
  const float step = (box.width + gap) / count;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const story::Station& station = stations[i];
    const Box place = {box.x + step * static_cast<float>(i), box.y, step - gap, box.height};
    ui.point(place, std::string(station.hardware).append(" ").append(station.company));
    if (ui.hovered(place))
      ui.tooltip(
          std::string(station.hardware).append(": ").append(station.value.empty() ? station.missing : station.value));
  }
}

}  // namespace

pictures::Touch paint_receipt(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                              const story::ReceiptPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const Box company = {box.x, box.y, box.width, station_height(box, picture)};
  if (company.height > 0) paint_stations(canvas, company, box.bottom(), stage, picture.stations);
  const bool any_line =
      std::any_of(picture.lines.begin(), picture.lines.end(), [](const auto& line) { return line.shown > 0; });
  pictures::Touch touch;
  if (ui != nullptr) point_at_stations(*ui, company, picture.stations);
  float top = company.height > 0 ? company.bottom() + 30 : box.y + 8;
  if (!picture.banner.empty()) {
    pictures::paint_banner(canvas, ui, {box.x, top - 12, box.width, pictures::banner_height}, picture.banner, 1);
    top += pictures::banner_height;
  }
  const Box counts = {box.x, top - 6, box.width, box.bottom() - top + 6};
  if (!picture.compared.empty())
    paint_compared(canvas, ui, counts, picture);
  else if (any_counted(picture))
    paint_counted(canvas, ui, counts, picture);
  if (!any_line) return touch;

  const pictures::Axis axis = {static_cast<double>(picture.from), static_cast<double>(picture.to), box.x + label_room,
                               box.right() - time_room - share_room};
  canvas.text({box.x, top - 6}, Style::small_caps, theme.second, picture.head_receipt);
  canvas.text({axis.right + time_room, top - 6}, Style::small_caps, theme.second, picture.head_time, 200, Align::right);
  canvas.text({box.right(), top - 6}, Style::small_caps, theme.second, picture.head_share, 200, Align::right);
  canvas.line({box.x, top + 14}, {box.right(), top + 14}, theme.line, theme.hairline);

  const auto count = static_cast<float>(picture.lines.size());
  const float height = std::clamp((box.bottom() - top - 20 - total_room - axis_room) / count, 28.0f, 76.0f);
  float y = top + 20;
  pictures::paint_axis(canvas, axis, y + height * count, height * count);
  for (const story::ReceiptLine& line : picture.lines) {
    const Box row = {box.x, y, box.width, height};
    y += height;
    if (line.shown <= 0) continue;
    paint_line(canvas, axis, row, line);
    if (ui == nullptr) continue;
    if (ui->hovered(row)) ui->tooltip(std::string(line.label).append(": ").append(line.note));
    ui->point(row, std::string(line.label).append(" ").append(line.note));
    if (ui->activated("receipt." + line.key, row)) touch.time = line.start;
  }
  if (stage.now) {
    const float x = axis.x(static_cast<double>(*stage.now));
    if (x >= axis.left && x <= axis.right) canvas.line({x, top + 20}, {x, y}, theme.now, 2);
  }
  if (picture.total && picture.total_shown > 0) {
    const auto shown = static_cast<float>(picture.total_shown);
    y += axis_room;
    canvas.line({box.x, y}, {box.right(), y}, draw::mixed(theme.text, theme.ground, shown), 1.5f);
    const Box row = {box.x, y + 6, box.width, 44};
    canvas.text_in({row.x, row.y, label_room, row.height}, Style::heading, draw::mixed(theme.text, theme.ground, shown),
                   picture.word_total);
    canvas.text_in({axis.right + 16, row.y, time_room - 16, row.height}, Style::figure,
                   draw::mixed(theme.text, theme.ground, shown), picture.total->text(), Align::right);
  }
  return touch;
}

}  // namespace warpwalk::scenes
