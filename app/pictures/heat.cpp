// Many units by time: a row for each, coloured by a share, and above them the mean of all as a profile.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/axis.h"
#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float heat_names_width = 86;
constexpr float heat_legend_height = 26;
constexpr float heat_axis_height = 22;
constexpr float largest_profile = 44;
constexpr float largest_heat_row = 22;
constexpr float least_followed_row = 9;
constexpr float ramp_width = 72;
constexpr int levels = 24;  // of the colour: neighbouring columns of one level are one shape

/// The level of a share: 0 is an exact 0, `levels` the top.
int level_of(float share, double top) {
  if (share <= 0) return 0;
  return std::clamp(static_cast<int>(std::ceil(share / top * levels)), 1, levels);
}

ImU32 colour_at(const draw::Theme& theme, const story::HeatPicture& picture, int level) {
  if (level == 0 && !picture.word_zero.empty()) return draw::mixed(theme.second, theme.ground, 0.26f);
  const float strength = 0.14f + 0.86f * static_cast<float>(level) / levels;
  return draw::mixed(colour_of(picture.tone, theme), theme.ground, strength);
}

void paint_heat_legend(Canvas& canvas, const Box& box, const story::HeatPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float x = box.x;
  const auto words = [&](std::string_view text) {
    x += canvas.text_in({x, box.y, box.right() - x, 20}, Style::label, theme.second, text);
  };
  words("0 %");
  x += 6;
  for (int i = 0; i < levels; ++i) {
    const float from = std::round(x + ramp_width * static_cast<float>(i) / levels);
    const float to = std::round(x + ramp_width * static_cast<float>(i + 1) / levels);
    canvas.fill({from, box.y + 4, to - from, 12}, colour_at(theme, picture, i + 1));
  }
  x += ramp_width + 6;
  words(fmt::format("{:.0f} % {}", 100 * picture.top, picture.word_share));
  const auto swatch = [&](const std::string& word, bool filled) {
    if (word.empty() || x + 40 + canvas.text_width(Style::label, word) > box.right()) return;
    x += 22;
    if (filled)
      canvas.fill({x, box.y + 4, 12, 12}, colour_at(theme, picture, 0), 2);
    else
      canvas.outline({x, box.y + 4, 12, 12}, theme.line, 2);
    x += 18;
    words(word);
  };
  swatch(picture.word_zero, true);
  swatch(picture.word_nothing, false);
}

/// The area of the columns.
struct Field {
  Box box;
  const story::HeatPicture& picture;

  float x_of(double cycle) const {
    const double share = (cycle - static_cast<double>(picture.from)) / static_cast<double>(picture.to - picture.from);
    return box.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * box.width;
  }
  std::int64_t start_of(std::size_t column) const {
    return picture.from + static_cast<std::int64_t>(column) * picture.column;
  }
  /// The end of the drawn part of a column.
  float right_of(std::size_t column) const {
    return std::min(x_of(static_cast<double>(start_of(column + 1))),
                    box.x + box.width * static_cast<float>(picture.swept));
  }
  std::int64_t cycle_at(float x) const {
    const double share = std::clamp((x - box.x) / box.width, 0.0f, 1.0f);
    return std::min(picture.to - 1,
                    picture.from + static_cast<std::int64_t>(share * static_cast<double>(picture.to - picture.from)));
  }
};

void paint_heat_row(Canvas& canvas, const Field& field, float y, float height, const story::HeatRow& row) {
  const auto same = [&](float a, float b) {
    return (a < 0) == (b < 0) && level_of(a, field.picture.top) == level_of(b, field.picture.top);
  };
  for (std::size_t c = 0; c < row.shares.size();) {
    std::size_t end = c + 1;
    while (end < row.shares.size() && same(row.shares[c], row.shares[end])) ++end;
    const float left = field.x_of(static_cast<double>(field.start_of(c))), right = field.right_of(end - 1);
    if (row.shares[c] >= 0 && right > left)
      canvas.fill({left, y, right - left, height},
                  colour_at(canvas.theme(), field.picture, level_of(row.shares[c], field.picture.top)));
    c = end;
  }
}

void paint_profile(Canvas& canvas, const Field& field, float y, float height, const story::HeatRow& row) {
  const draw::Theme& theme = canvas.theme();
  for (std::size_t c = 0; c < row.shares.size(); ++c) {
    const float left = field.x_of(static_cast<double>(field.start_of(c))), right = field.right_of(c);
    const float high = height * static_cast<float>(std::min(1.0, row.shares[c] / field.picture.top));
    if (right > left)
      canvas.fill({left, y + height - high, right - left, high},
                  draw::mixed(colour_of(field.picture.tone, theme), theme.ground, 0.75f));
  }
  canvas.line({field.box.x, y + height}, {field.box.right(), y + height}, theme.line, theme.hairline);
}

std::string heat_tip(const Field& field, const story::HeatRow& row, std::int64_t cycle) {
  const auto column = static_cast<std::size_t>((cycle - field.picture.from) / field.picture.column);
  if (column >= row.shares.size()) return row.label;
  const float share = row.shares[column];
  const std::string state = share < 0 ? field.picture.word_nothing
                            : share == 0 && !field.picture.word_zero.empty()
                                ? field.picture.word_zero
                                : fmt::format("{} {}", story::HeatPicture::share_text(share), field.picture.word_share);
  return fmt::format("{}, {} {} ... {}: {}", row.label, field.picture.word_cycle,
                     story::with_thousands(field.start_of(column)),
                     story::with_thousands(std::min(field.picture.to, field.start_of(column + 1)) - 1), state);
}

void paint_cycles(Canvas& canvas, const Field& field, float bottom) {
  const draw::Theme& theme = canvas.theme();
  const story::HeatPicture& picture = field.picture;
  const auto half_of = [&](const std::string& text) { return canvas.text_width(Style::mono_small, text) / 2; };
  const std::string now =
      picture.now ? fmt::format("{} {}", picture.word_cycle, story::with_thousands(*picture.now)) : "";
  const float now_at = picture.now ? field.x_of(static_cast<double>(*picture.now)) : 0, now_half = half_of(now);
  const float now_x =
      std::clamp(now_at, field.box.x + now_half, std::max(field.box.x + now_half, field.box.right() - now_half));
  const auto maximum = static_cast<int>(std::max(2.0f, field.box.width / 110));
  for (const std::int64_t tick : ticks(static_cast<double>(picture.from), static_cast<double>(picture.to), maximum)) {
    const float x = field.x_of(static_cast<double>(tick));
    canvas.line({x, bottom}, {x, bottom + 4}, theme.line);
    const std::string text = story::with_thousands(tick);
    const float half = half_of(text), at = std::min(x, field.box.right() - half);
    const bool hidden = picture.now && std::abs(at - now_x) < half + now_half + 8;
    if (!hidden) canvas.text({at, bottom + 5}, Style::mono_small, theme.second, text, 1e6f, Align::centre);
  }
  if (!picture.now) {
    canvas.text({field.box.x - 10, bottom + 5}, Style::mono_small, theme.second, picture.word_cycle, 1e6f,
                Align::right);
    return;
  }
  canvas.line({now_at, field.box.y - 4}, {now_at, bottom + 4}, theme.now, 2);
  canvas.text({now_x, bottom + 5}, Style::mono_small, theme.now, now, 1e6f, Align::centre);
}

bool has_followed(const story::HeatPicture& picture) {
  return std::ranges::any_of(picture.groups, [](const story::HeatGroup& group) {
    return std::ranges::any_of(group.rows, &story::HeatRow::followed);
  });
}

}  // namespace

Touch paint_heat(Canvas& canvas, draw::Ui* ui, const Box& box, const story::HeatPicture& picture) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  paint_heat_legend(canvas, {box.x, box.y, box.width, heat_legend_height}, picture);
  Field field = {{box.x + heat_names_width, box.y + heat_legend_height + 2, box.width - heat_names_width - 6, 0},
                 picture};
  field.box.height = box.bottom() - heat_axis_height - field.box.y;
  std::size_t rows = 0;
  for (const story::HeatGroup& group : picture.groups) rows += group.rows.size();
  if (rows == 0 || picture.to <= picture.from || field.box.height < 30) return touch;
  const float profile = std::min(largest_profile, field.box.height * 0.18f);
  const float gap = field.box.height > 180 ? 4 : 2;
  const float gaps = gap * static_cast<float>(picture.groups.size());
  // The followed unit's row is high enough to be seen inside its frame.
  const float room = field.box.height - profile - gaps, extra = least_followed_row - room / static_cast<float>(rows);
  const float row_height = std::min(
      largest_heat_row, (room - (has_followed(picture) ? std::max(0.0f, extra) : 0.0f)) / static_cast<float>(rows));
  if (row_height <= 0) return touch;

  // The names of the groups, if most of them fit.
  const bool names = row_height * static_cast<float>(rows) / static_cast<float>(picture.groups.size()) >= 14;

  float y = field.box.y;
  const auto point_at = [&](const story::HeatRow& row, const Box& line) {
    if (ui == nullptr || !ui->hovered(line)) return false;
    const std::string tip = heat_tip(field, row, field.cycle_at(ui->input().mouse.x));
    ui->point(line, tip);
    ui->tooltip(tip);
    return true;
  };
  canvas.text_in({box.x, y, heat_names_width - 8, profile}, Style::label, theme.text, picture.whole.label);
  paint_profile(canvas, field, y, profile, picture.whole);
  point_at(picture.whole, {field.box.x, y, field.box.width, profile});
  y += profile + gap;
  const story::HeatRow* followed = nullptr;
  Box frame;
  for (const story::HeatGroup& group : picture.groups) {
    const float top = y;
    for (const story::HeatRow& row : group.rows) {
      const float height = row.followed ? std::max(row_height, least_followed_row) : row_height;
      const Box line = {field.box.x, y, field.box.width, height};
      paint_heat_row(canvas, field, y, height >= 6 && !row.followed ? height - 1 : height, row);
      if (point_at(row, line) && ui->input().mouse_pressed) {
        for (const std::string& control : picture.controls) touch.set.emplace_back(control, row.value);
        const auto column =
            static_cast<std::size_t>((field.cycle_at(ui->input().mouse.x) - picture.from) / picture.column);
        if (column < row.ranks.size()) touch.rank = row.ranks[column];
      }
      if (row.followed) {
        followed = &row;
        frame = line;
      }
      y += height;
    }
    // A group's name stands beside it, unless the followed unit's is there.
    const bool taken = followed != nullptr && std::abs(frame.y + frame.height / 2 - (top + y) / 2) < 20;
    if (names && !taken)
      canvas.text_in({box.x, top, heat_names_width - 8, y - top}, Style::label, theme.second, group.name);
    y += gap;
  }
  const float bottom = y - gap;
  if (followed != nullptr) {
    canvas.outline({frame.x - 2, frame.y - 1, frame.width + 4, frame.height + 2}, theme.now, 3, 1.5f);
    canvas.text_in({box.x, frame.y - 10, heat_names_width - 10, frame.height + 20}, Style::label, theme.now,
                   followed->label, Align::right);
  }
  paint_cycles(canvas, field, bottom);
  if (picture.picks_cycle && ui != nullptr &&
      ui->dragged("heat", {field.box.x, field.box.y, field.box.width, bottom - field.box.y}))
    touch.cycle = field.cycle_at(ui->input().mouse.x);
  return touch;
}

}  // namespace warpwalk::pictures
