#include "app/pages/what_if/what_if_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/story/elements/figure.h"
#include "core/words/prediction_text.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;

constexpr float what_if_row = 24, what_if_bar = 18, what_if_name = 108, what_if_figure = 320;

struct WhatIfColumn {
  const char* key;
  float share;
  bool right = false;
};
constexpr std::array<WhatIfColumn, 5> what_if_columns = {
    {{"what", 0.48f}, {"at_most", 0.11f, true}, {"step", 0.12f, true}, {"gain", 0.09f, true}, {"range", 0.20f, true}}};

// One frame of the page.
class WhatIfFrame {
 public:
  WhatIfFrame(draw::Ui& ui, const Box& box, const runs::PredictJob& job, WhatIfState& state)
      : ui_(ui), canvas_(ui.canvas()), theme_(ui.theme()), box_(box), job_(job), state_(state) {}

  WhatIfChoice paint() {
    const runs::PredictJob::Set chosen = state_.chosen();
    const runs::PredictedChanges* const known = chosen.empty() ? nullptr : job_.find(chosen);
    float y = box_.y;
    y += paint_sentence(y, chosen, known) + 10;
    y = paint_bars(y, known) + 12;
    constexpr float basis_height = 150, head_height = 30;
    const auto rows =
        static_cast<std::size_t>(std::max(3.0f, (box_.bottom() - basis_height - y - head_height) / what_if_row));
    y = paint_list(y, std::min(rows, state_.rows.size())) + 10;
    paint_basis({box_.x, y, box_.width, box_.bottom() - y}, chosen, known);
    return choice_;
  }

 private:
  std::string word(std::string_view key, const story::Narration::Values& values = {}) const {
    return ui_.word("what_if", key, values);
  }

  // Two lines, so that nothing moves when the sentence changes.
  float paint_sentence(float y, const runs::PredictJob::Set& chosen, const runs::PredictedChanges* known) {
    std::string text = word(chosen.empty() ? "no_change" : "working");
    if (known != nullptr)
      text = known->error.empty() ? words::prediction_text(ui_.words(), known->prediction)
                                  : ui_.word("prediction", "cannot", {{"why", known->error}});
    canvas_.paragraph({box_.x, y}, Style::sentence, theme_.text, text, box_.width, 2);
    return 2.4f * canvas_.line_height(Style::sentence);
  }

  // The recorded and the predicted step over one axis, the predicted one with its range.
  float paint_bars(float y, const runs::PredictedChanges* known) {
    const analysis::Prediction none;
    const analysis::Prediction& prediction = known != nullptr ? known->prediction : none;
    const double longest = std::max({1.0, prediction.before, prediction.step.value_or(0), prediction.high.value_or(0)});
    const float left = box_.x + what_if_name, width = box_.width - what_if_name - what_if_figure;
    const auto at = [&](double time) { return left + width * static_cast<float>(time / longest); };
    const auto bar = [&](std::string_view key, double time, ImU32 colour, const std::string& figure) {
      canvas_.text_in({box_.x, y, what_if_name - 8, what_if_bar}, Style::label, theme_.second, word(key));
      if (time > 0) canvas_.fill({left, y, std::max(1.0f, at(time) - left), what_if_bar}, colour, 2);
      canvas_.text_in({left + width + 8, y, what_if_figure - 8, what_if_bar}, Style::mono_small, theme_.text, figure);
    };
    bar("recorded", prediction.before, theme_.host,
        prediction.before > 0 ? story::time_text(prediction.before) : std::string());
    y += what_if_bar + 8;
    const std::string none_text = known == nullptr ? std::string("…") : word("cannot");
    bar("predicted", prediction.step.value_or(0), theme_.done,
        prediction.step ? word("between", {{"step", story::time_text(*prediction.step)}, {"range", range(prediction)}})
                        : none_text);
    if (prediction.step) paint_range(y, at(*prediction.low), at(*prediction.high));
    return y + what_if_bar;
  }

  void paint_range(float y, float low, float high) {
    const float middle = y + what_if_bar / 2;
    canvas_.line({low, middle}, {high, middle}, theme_.text, 2);
    for (const float x : {low, high}) canvas_.line({x, y + 3}, {x, y + what_if_bar - 3}, theme_.text, 2);
  }

  std::string range(const analysis::Prediction& prediction) const {
    return word("range_of", {{"low", story::time_text(*prediction.low)}, {"high", story::time_text(*prediction.high)}});
  }

  Box cell(std::size_t column, float top) const {
    constexpr float tick = 28;
    float x = box_.x + tick;
    for (std::size_t c = 0; c < column; ++c) x += what_if_columns[c].share * (box_.width - tick);
    return {x, top, what_if_columns[column].share * (box_.width - tick) - 12, what_if_row - 2};
  }

  void text(std::size_t column, float top, ImU32 colour, const std::string& content, std::string_view tip = {}) {
    const Box box = cell(column, top);
    const bool right = what_if_columns[column].right;
    canvas_.text_in(box, right ? Style::mono_small : Style::label, colour, content, right ? Align::right : Align::left);
    if (!tip.empty() && ui_.hovered(box)) ui_.tooltip(tip);
  }

  float paint_list(float y, std::size_t shown) {
    for (std::size_t c = 0; c < what_if_columns.size(); ++c)
      canvas_.text_in({cell(c, y).x, y, cell(c, y).width, 20}, Style::small_caps, theme_.second,
                      ui_.word("what_if_column", what_if_columns[c].key),
                      what_if_columns[c].right ? Align::right : Align::left);
    canvas_.line({box_.x, y + 24}, {box_.right(), y + 24}, theme_.line, theme_.hairline);
    y += 28;
    const Box list = {box_.x - 8, y, box_.width + 16, what_if_row * static_cast<float>(shown)};
    const std::size_t before = state_.cursor;
    state_.cursor =
        ui_.list("what_if", list, std::min(before, state_.rows.size() - 1), state_.rows.size(), shown, true);
    for (const draw::KeyPress& press : ui_.input().keys) {
      if (press.key == draw::Key::space) tick(state_.cursor);
      if (press.key == draw::Key::enter) choice_ = WhatIfChoice::open;
    }
    const std::size_t first = state_.cursor < shown ? 0 : state_.cursor + 1 - shown;
    for (std::size_t i = first; i < std::min(state_.rows.size(), first + shown); ++i, y += what_if_row) paint_row(i, y);
    if (state_.cursor != before && choice_ == WhatIfChoice::none) choice_ = WhatIfChoice::other;
    return y;
  }

  void tick(std::size_t number) {
    if (state_.rows[number].change.empty()) return;
    state_.rows[number].ticked = !state_.rows[number].ticked;
    choice_ = WhatIfChoice::other;
  }

  void paint_row(std::size_t i, float y) {
    const WhatIfRow& row = state_.rows[i];
    const Box line = {box_.x - 8, y, box_.width + 16, what_if_row - 2};
    if (i == state_.cursor)
      canvas_.fill(line, draw::mixed(theme_.now, theme_.ground, 0.16f), 4);
    else if (ui_.hovered(line))
      canvas_.fill(line, draw::mixed(theme_.text, theme_.ground, 0.08f), 4);
    const Box tick_box = {box_.x, y + 4, 14, 14};
    if (!row.change.empty()) canvas_.outline(tick_box, theme_.second, 3, 1);
    if (row.ticked) canvas_.fill({tick_box.x + 3, tick_box.y + 3, 8, 8}, theme_.done, 2);
    text(0, y, row.change.empty() ? theme_.second : theme_.text, row.what, tip_of(row));
    text(1, y, theme_.second, row.at_most ? share(*row.at_most) : "–", row.why);
    paint_figures(row, y);
    if (!ui_.hovered(line) || !ui_.input().mouse_pressed) return;
    state_.cursor = i;
    if (ui_.hovered({box_.x - 8, y, 30, what_if_row}))
      tick(i);
    else
      choice_ = WhatIfChoice::other;
  }

  static std::string tip_of(const WhatIfRow& row) {
    if (row.change.empty()) return row.why;
    return row.why.empty() ? "--change " + row.change : fmt::format("--change {}\n{}", row.change, row.why);
  }

  static std::string share(double part) { return story::share_text(std::llround(1e4 * part), 10'000); }

  void paint_figures(const WhatIfRow& row, float y) {
    const runs::PredictedChanges* const known = row.change.empty() ? nullptr : job_.find({row.change});
    if (known == nullptr) return text(2, y, theme_.second, row.change.empty() ? word("no_word") : "…");
    const analysis::Prediction& prediction = known->prediction;
    if (!prediction.step)
      return text(2, y, theme_.second, word("cannot"), known->error.empty() ? prediction.cannot : known->error);
    const double gain = (prediction.before - *prediction.step) / prediction.before;
    text(2, y, theme_.text, story::time_text(*prediction.step));
    const double percent = std::round(-100 * gain) + 0.0;  // not -0
    text(3, y, theme_.text, base::with_marks(fmt::format("{:+.0f} %", percent)));
    text(4, y, theme_.second, range(prediction));
  }

  // What each change rests on, with its origin.
  void paint_basis(const Box& box, const runs::PredictJob::Set& chosen, const runs::PredictedChanges* known) {
    canvas_.line({box.x, box.y}, {box.right(), box.y}, theme_.line, theme_.hairline);
    float y = box.y + 8;
    if (const std::string& why = state_.rows[state_.cursor].why; !why.empty())
      y += canvas_.paragraph({box.x, y}, Style::label, theme_.second, why, box.width, chosen.empty() ? 4 : 1) + 6;
    if (chosen.empty() || known == nullptr || known->prediction.basis.empty()) return;
    canvas_.text_in({box.x, y, box.width, 18}, Style::small_caps, theme_.second, word("rests_on"));
    y += 22;
    for (const analysis::PredictionBasis& one : known->prediction.basis) {
      const int lines = static_cast<int>((box.bottom() - y) / (1.2f * canvas_.line_height(Style::label)));
      if (lines < 1 || one.change.empty()) break;
      const std::string content = word(
          "basis",
          {{"change", one.change}, {"origin", ui_.word("prediction_origin", name_of(one.origin))}, {"text", one.text}});
      y += canvas_.paragraph({box.x, y}, Style::label, theme_.text, content, box.width, lines) + 4;
    }
  }

  draw::Ui& ui_;
  draw::Canvas& canvas_;
  const draw::Theme& theme_;
  Box box_;
  const runs::PredictJob& job_;
  WhatIfState& state_;
  WhatIfChoice choice_ = WhatIfChoice::none;
};

}  // namespace

runs::PredictJob::Set WhatIfState::chosen() const {
  runs::PredictJob::Set set;
  for (const WhatIfRow& row : rows)
    if (row.ticked) set.push_back(row.change);
  if (set.empty() && cursor < rows.size() && !rows[cursor].change.empty()) set.push_back(rows[cursor].change);
  return set;
}

WhatIfChoice what_if_view(draw::Ui& ui, const Box& box, const runs::PredictJob& job, WhatIfState& state) {
  return WhatIfFrame(ui, box, job, state).paint();
}

}  // namespace warpwalk::pages
