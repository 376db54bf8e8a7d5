#include "app/pages/answers/hand_in_page.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/answers/read_answers.h"
#include "app/pages/file_names.h"
#include "app/panels/sheet.h"
#include "core/platform/output_file.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr float hand_in_width = 620, field_height = 34;
constexpr int note_lines = 3;
constexpr std::string_view name_id = "hand_in.name";

}  // namespace

bool HandInPage::open(Action) {
  program().end_presenting();
  note_.clear();
  answers_.clear();
  const std::filesystem::path& kept = context().environment.kept_answers;
  std::error_code error;
  if (!kept.empty() && std::filesystem::exists(kept, error)) {
    answers::ReadAnswers read = answers::read_answers({kept});
    answers_ = std::move(read.answers);
    if (!read.problems.empty()) note_ = read.problems.front();
  }
  const auto first = [](const answers::Answer& one) { return one.attempt == 1; };
  const auto right = [](const answers::Answer& one) { return one.attempt == 1 && one.correct(); };
  first_tries_ = static_cast<std::size_t>(std::ranges::count_if(answers_, first));
  right_ = static_cast<std::size_t>(std::ranges::count_if(answers_, right));
  memory_.focus = name_id;
  return true;
}

void HandInPage::hand_in(Way way) {
  if (student_.text.empty()) {
    note_ = words().text("hand_in", "no_name");
    memory_.focus = name_id;
    return;
  }
  const std::string lines = answers::handed_in_lines(answers_, student_.text);
  if (way == Way::word) {
    memory_.copied = answers::handed_in_word(lines);
    note_ = words().text("hand_in", "copied", {{"n", fmt::to_string(memory_.copied.size())}});
    return;
  }
  const std::filesystem::path file =
      free_file_name(context().environment.drafts, file_part(student_.text) + ".answers", ".jsonl");
  std::error_code ignored;
  const auto done = platform::write_regular_file(file, lines);
  note_ = done ? words().text("hand_in", "saved",
                              {{"file", std::filesystem::absolute(file, ignored).lexically_normal().string()}})
               : done.error();
}

HandInPage::Way HandInPage::fields(draw::Ui& ui, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const std::string label = ui.word("hand_in", "name");
  const float width =
      canvas.text_in({box.x, box.y, box.width / 3, field_height}, Style::label, ui.theme().second, label);
  const Box field = {box.x + width + 12, box.y, std::min(360.0f, box.width - width - 12), field_height};
  ui.text_place(name_id, field);
  const bool typing = ui.focused(name_id);
  Way way = Way::none;
  if (typing)
    for (const draw::KeyPress& press : ui.input().keys) {
      if (press.key == draw::Key::enter) way = Way::file;
      if (!press.control || press.character == U'v') student_.type(press, &memory_.copied);
    }
  draw::point_field(ui, name_id, field, student_);
  draw::paint_field(canvas, field, student_, typing, ui.word("hand_in", "name.hint"));
  float x = box.x;
  const float y = box.y + field_height + 16;
  for (const auto& [id, chosen] : {std::pair{"save", Way::file}, std::pair{"copy", Way::word}}) {
    const std::string words = ui.word("hand_in", id);
    const Box button = {x, y, canvas.text_width(Style::label, words) + 28, field_height};
    canvas.outline(button, ui.theme().line, 6, ui.theme().hairline);
    if (ui.button(fmt::format("hand_in.{}", id), button, words, chosen == Way::file)) way = chosen;
    x = button.right() + 10;
  }
  return way;
}

void HandInPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = ui.theme();
  const Box box = panels::sheet(ui, hand_in_width, 206, ui.word("hand_in", "heading"), ui.word("hand_in", "closing"));
  float y = box.y;
  const bool none = answers_.empty();
  y += canvas.paragraph({box.x, y}, Style::body, theme.text,
                        ui.word("hand_in", none ? "none" : "have",
                                {{"n", fmt::to_string(first_tries_)}, {"right", fmt::to_string(right_)}}),
                        box.width, note_lines) +
       14;
  if (!none) {
    if (const Way way = fields(ui, {box.x, y, box.width, field_height}); way != Way::none) hand_in(way);
    y += 2 * field_height + 32;
  }
  canvas.paragraph({box.x, y}, Style::label, theme.second, note_.empty() ? ui.word("hand_in", "how") : note_, box.width,
                   note_lines);
}

void HandInPage::report(Report& report) const { report.text("hand_in_note", note_); }

}  // namespace warpwalk::pages
