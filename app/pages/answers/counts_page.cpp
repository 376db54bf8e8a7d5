#include "app/pages/answers/counts_page.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

#include "app/answers/read_answers.h"
#include "core/platform/read_file.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;

constexpr float counts_pad = 24, bar_height = 14, option_gap = 14, small_gap = 4;
constexpr int question_lines = 4, option_lines = 2, source_lines = 3;

// A file of another ending is a trace, which may be large.
bool may_have_answers(const std::filesystem::path& file) {
  static constexpr std::array<std::string_view, 5> endings = {".jsonl", ".txt", ".html", ".htm", ".eml"};
  std::error_code error;
  return std::ranges::find(endings, file.extension().string()) != endings.end() &&
         std::filesystem::is_regular_file(file, error) &&
         std::filesystem::file_size(file, error) <= answers::max_answers_bytes;
}

// An option: its words, its bar, and how often it was chosen, in words.
struct OptionRow {
  const std::string& words;
  std::size_t count = 0, most = 0;
  std::string number;
  bool right = false;
};

float option_height(const draw::Canvas& canvas, const OptionRow& row, float width, float gap) {
  const std::size_t lines = canvas.wrapped(Style::body, row.words, width, option_lines).size();
  return 1.2f * canvas.line_height(Style::body) * static_cast<float>(lines) + 4 + bar_height + gap;
}

std::string share_words(draw::Ui& ui, std::size_t count, std::size_t answered, bool right) {
  const double share = answered == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(answered);
  return ui.word("counts", right ? "count.right" : "count",
                 {{"n", fmt::to_string(count)}, {"share", fmt::format("{:.0f}", share)}});
}

// `room`: of the widest number, so that all bars have one scale.
void paint_option(draw::Ui& ui, const OptionRow& row, const Box& box, float room) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = ui.theme();
  const float used = canvas.paragraph({box.x, box.y}, Style::body, row.right ? theme.done : theme.text, row.words,
                                      box.width, option_lines);
  const Box bar = {box.x, box.y + used + 4, box.width - room, bar_height};
  canvas.fill(bar, draw::mixed(theme.line, theme.panel, 0.5f), 3);
  const float length = row.most == 0 ? 0 : bar.width * static_cast<float>(row.count) / static_cast<float>(row.most);
  if (length > 0) canvas.fill({bar.x, bar.y, length, bar.height}, row.right ? theme.done : theme.second, 3);
  canvas.text_in({bar.right(), bar.y - 6, room, bar.height + 12}, Style::body, theme.text, row.number, Align::right);
}

}  // namespace

bool CountsPage::open(Action) {
  if (opened().document == nullptr) return false;
  read();
  return true;
}

void CountsPage::read() {
  std::vector<std::filesystem::path> files = class_;
  const std::filesystem::path& kept = context().environment.kept_answers;
  std::error_code error;
  if (files.empty() && !kept.empty() && std::filesystem::exists(kept, error)) files.push_back(kept);
  answers::ReadAnswers found = answers::read_answers(files);
  answers_ = std::move(found.answers);
  problems_ = found.problems.size();
}

bool CountsPage::take_file(const std::filesystem::path& file) {
  if (opened().document == nullptr || !may_have_answers(file)) return false;
  const auto text = platform::read_text_file(file, answers::max_answers_bytes);
  if (!text || !answers::has_answers(text->text)) return false;
  if (std::ranges::find(class_, file) == class_.end()) class_.push_back(file);
  read();
  return true;
}

const story::Question* CountsPage::answered() const {
  const auto& stage = opened().stage;
  if (!stage || !stage->question || stage->question->asked()) return nullptr;
  return &*stage->question;
}

answers::OptionCounts CountsPage::counts(const story::Question& question) const {
  return answers::count_options(answers_, opened().view.file.filename().string(), question.key, question.about,
                                question.options.size());
}

std::string CountsPage::source() const {
  if (class_.empty()) return words().text("counts", "source.here");
  if (class_.size() == 1) return words().text("counts", "source.file", {{"file", class_.front().filename().string()}});
  return words().text("counts", "source.files", {{"n", fmt::to_string(class_.size())}});
}

void CountsPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = ui.theme();
  const float width = std::clamp(canvas.width() * 0.4f, 360.0f, 640.0f);
  const float inner = width - 2 * counts_pad;
  const auto text_height = [&](Style style, std::string_view text, int lines) {
    return 1.2f * canvas.line_height(style) * static_cast<float>(canvas.wrapped(style, text, inner, lines).size());
  };
  const auto& stage = opened().stage;
  const story::Question* const question = answered();
  std::vector<OptionRow> rows;
  std::string title, line;
  if (question == nullptr) {
    title = ui.word("counts", "heading");
    line = ui.word("counts", stage && stage->question ? "answer_first" : "no_question");
  } else {
    title = question->text;
    const answers::OptionCounts found = counts(*question);
    const std::size_t most = *std::ranges::max_element(found.options);
    for (std::size_t i = 0; i < question->options.size(); ++i)
      rows.push_back({question->options[i], found.options[i], most,
                      share_words(ui, found.options[i], found.answered, question->right == i), question->right == i});
    line =
        ui.word("counts", found.answered + found.shown == 0 ? "source.none" : "source",
                {{"n", fmt::to_string(found.answered)}, {"shown", fmt::to_string(found.shown)}, {"where", source()}});
    if (class_.empty()) line += " " + ui.word("counts", "drop");
  }
  if (problems_ > 0) line += " " + ui.word("counts", "unreadable", {{"n", fmt::to_string(problems_)}});
  const std::string closing = ui.word("counts", "closing");

  const float title_height = text_height(Style::heading, title, question_lines);
  const float most_height = canvas.height() - 32;
  const auto height_with = [&](float gap) {
    float height = 2 * counts_pad + title_height + 14 + text_height(Style::label, line, source_lines);
    for (const OptionRow& row : rows) height += option_height(canvas, row, inner, gap);
    return height;
  };
  const float closing_height = 8 + canvas.line_height(Style::label);
  const bool closes = height_with(option_gap) + closing_height <= most_height;  // else there is no room for this line
  const float gap = height_with(option_gap) <= most_height ? option_gap : small_gap;
  const float height = std::min(height_with(gap) + (closes ? closing_height : 0), most_height);
  float room = 0;
  for (const OptionRow& row : rows) room = std::max(room, canvas.text_width(Style::body, row.number) + 16);
  const Box box = {canvas.width() - width - 24, (canvas.height() - height) / 2, width, height};
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, theme.second, 8, theme.hairline);
  canvas.clip(box);
  float y = box.y + counts_pad;
  const float x = box.x + counts_pad;
  canvas.paragraph({x, y}, Style::heading, theme.text, title, inner, question_lines);
  y += title_height + 14;
  for (const OptionRow& row : rows) {
    const float used = option_height(canvas, row, inner, gap);
    paint_option(ui, row, {x, y, inner, used}, room);
    y += used;
  }
  y += canvas.paragraph({x, y}, Style::label, theme.second, line, inner, source_lines) + 8;
  if (closes) canvas.text({x, y}, Style::label, theme.second, closing, inner);
  canvas.unclip();
}

void CountsPage::report(Report& report) const {
  std::string numbers;
  if (const story::Question* const question = answered(); question != nullptr && shown())
    for (const std::size_t count : counts(*question).options)
      numbers += (numbers.empty() ? "" : " ") + fmt::to_string(count);
  report.text("counts", numbers);
}

}  // namespace warpwalk::pages
