#include "app/shell/window_state.h"

#include <variant>

namespace warpwalk::shell {
namespace {

std::string_view name_of(panels::Note::Kind kind) {
  switch (kind) {
    case panels::Note::Kind::hint: return "hint";
    case panels::Note::Kind::done: return "done";
    case panels::Note::Kind::error: return "error";
  }
  return "";
}

void report_stage(pages::Report& report, const pages::Opened& opened) {
  const auto& stage = opened.stage;
  report.text("follow", opened.view.follow);
  report.text("scene", stage ? stage->scene : "");
  report.text("title", stage ? stage->title : "");
  report.count("beat", stage ? stage->beat : 0);
  report.count("beats", stage ? stage->beats : 0);
  report.text("at", story::text_of(opened.view.moment));
}

void report_lesson(pages::Report& report, const pages::Opened& opened) {
  const auto& stage = opened.stage;
  report.text("lesson", opened.lesson ? opened.lesson->title : "");
  report.count("lesson_step", opened.lesson ? static_cast<std::int64_t>(opened.lesson_step + 1) : 0);
  const bool asked = stage && stage->question;
  const bool chosen = asked && stage->question->chosen;
  report.text("question", asked ? stage->question->key : "");
  report.text("question_state", asked ? story::name_of(stage->question->state) : "");
  report.count("question_option", chosen ? static_cast<std::int64_t>(*stage->question->chosen) + 1 : 0);
  report.flag("questions", opened.predictions.asking);
}

}  // namespace

std::string window_title(const Parts& parts) {
  const auto& document = parts.opened().document;
  if (!document) return parts.words.text("window", "title.empty");
  if (document->unsaved && !document->trace().records.expression.empty())
    return parts.words.text("window", "title.unsaved", {{"expression", document->trace().records.expression}});
  const std::string file = document->file.filename().string();
  if (!parts.opened().view.ranks.empty() && document->ranks)
    return parts.words.text("window", "title.rank",
                            {{"rank", std::to_string(parts.opened().view.rank)},
                             {"count", std::to_string(document->ranks->ranks.size())},
                             {"file", file}});
  return parts.words.text("window", "title", {{"file", file}});
}

bool window_busy(const Parts& parts, const Pages& pages) {
  return parts.session.reading() != nullptr || parts.compared.reading() != nullptr || parts.film.busy() ||
         pages.busy() || parts.stages.waiting(parts.opened());
}

std::string window_state(const Parts& parts, const Pages& pages) {
  const pages::Opened& opened = parts.opened();
  const Presentation& presentation = parts.presentation;
  const FramePanels& panels = parts.panels;
  pages::Report report;
  report.text("file", opened.document ? opened.view.file.string() : "");
  report.text("compare", parts.compared.file().string());
  const bool ranks = opened.document && opened.document->ranks;
  report.count("ranks", ranks ? static_cast<std::int64_t>(opened.document->ranks->ranks.size()) : 0);
  report.count("rank", ranks ? opened.document->ranks->ranks[opened.document->rank].identity.rank : 0);
  report.text("window", window_title(parts));
  report_stage(report, opened);
  report.text("note", parts.messages.note().text);
  report.text("note_kind", name_of(parts.messages.note().kind));
  report.text("sheet", pages.shown_name());
  for (const auto& page : pages.all()) page->report(report);
  report.text("theme", theme_of(parts.settings).name);
  report.text("names", story::name_of(opened.view.naming));
  report.text("search", panels.outline.search.text);
  report.text("focus", panels.memory.focus_shown ? panels.memory.focus : "");
  report_lesson(report, opened);
  report.count("rows", static_cast<std::int64_t>(panels.outline.rows.size()));
  report.number("speed", parts.session.transport().speed);
  report.flag("moving", parts.navigation.moving());
  report.flag("busy", window_busy(parts, pages));
  report.flag("playing", parts.session.transport().playing);
  report.flag("typing", panels.outline.typing || panels.memory.takes_text);
  report.flag("presenting", presentation.on());
  report.flag("full_screen", presentation.full_screen());
  report.flag("lecturer", presentation.lecturer());
  report.text("lecturer_shows", presentation.lecturer() ? presentation.lecturer_shows() : "");
  report.flag("blank", presentation.blank());
  report.flag("notes", panels.notes);
  report.flag("panels", opened.document && all_panels(parts));
  report.begin("controls");
  for (const auto& [name, setting] : opened.view.controls.all())
    if (const auto* const value = std::get_if<double>(&setting))
      report.number(name, *value);
    else
      report.text(name, std::get<std::string>(setting));
  report.end();
  return report.finish();
}

}  // namespace warpwalk::shell
