// The start page: walks, lessons, recent files, and what else can be done.
#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "app/shell/shell.h"
#include "core/story/scenes.h"

namespace warpwalk::shell {
namespace {

constexpr std::size_t max_recent_shown = 4;

std::vector<std::filesystem::path> recent_files(const Settings& settings) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const std::string& file : settings.recent)
    if (files.size() < max_recent_shown && std::filesystem::exists(file, error)) files.emplace_back(file);
  return files;
}

}  // namespace

void Shell::open_start_page() {
  if (sheet_ == Sheet::start) {
    sheet_ = Sheet::none;
    return;
  }
  start_files_ = pages::load_start_files(host_.assets, narration_);
  start_ = {};
  set_presenting(false);
  sheet_ = Sheet::start;
}

pages::StartContent Shell::start_content() const {
  const auto words = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return narration_.text("start", key, values);
  };
  // The document below the page: the title of a known walk, or the name of the file.
  const std::filesystem::path file = wanted_ ? wanted_->file : view_.file;
  const auto known = std::ranges::find(start_files_.walks, file.filename(),
                                       [](const pages::RecordedWalk& walk) { return walk.file.filename(); });
  const std::string walk = known != start_files_.walks.end() ? known->title : file.filename().string();
  const bool at_first_beat = view_.scene == story::scenes().front().name &&
                             view_.moment.kind == story::Moment::Kind::beat && view_.moment.value == 1;
  const char* const key = at_first_beat ? "continue" : "resume";

  const auto key_of = [&](Action action) { return pages::key_of(action, narration_); };

  pages::StartContent content;
  content.cards = {{words(key), words(fmt::format("{}.text", key), {{"walk", walk}}), narration_.text("key", "enter")},
                   {words("run"), words("run.text"), key_of(Action::run)},
                   {words("open"), words("open.text"), key_of(Action::files)}};
  pages::StartSection walks = {words("walks"), {}}, lessons = {words("lessons"), {}}, recent = {words("recent"), {}};
  pages::StartSection of_labs = {words("labs"), {}};
  for (const story::Scene& lab : story::labs()) {
    const std::string section = fmt::format("start.{}", lab.name);
    of_labs.items.push_back({narration_.text(section, "title"), narration_.text(section, "shows"), ""});
  }
  for (const pages::RecordedWalk& one : start_files_.walks) walks.items.push_back({one.title, one.shows, ""});
  for (const pages::ShippedLesson& lesson : start_files_.lessons)
    lessons.items.push_back({lesson.title, words("lesson.text", {{"n", fmt::format("{}", lesson.steps)}}), ""});
  lessons.items.push_back({words("compose"), words("compose.text"), key_of(Action::compose)});
  for (const std::filesystem::path& one : recent_files(settings_))
    recent.items.push_back({one.filename().string(), one.parent_path().string(), ""});
  content.wide = {std::move(walks)};
  content.narrow = {std::move(lessons), std::move(of_labs), std::move(recent)};
  return content;
}

void Shell::paint_start(draw::Ui& ui) {
  if (const auto chosen = pages::start_view(ui, start_content(), start_)) choose_start(*chosen);
  panels::paint_note(ui.canvas(), {0, 0, ui.canvas().width(), ui.canvas().height()}, note_);
}

// Items are counted as the page lists them: cards, walks, lessons, composing one, labs, recent files.
void Shell::choose_start(std::size_t item) {
  sheet_ = Sheet::none;
  constexpr std::size_t cards = 3;
  if (item < cards) {
    if (item == 1) act(Action::run);
    if (item == 2) act(Action::files);
    return;
  }
  item -= cards;
  std::vector<std::filesystem::path> files;
  for (const pages::RecordedWalk& walk : start_files_.walks) files.push_back(walk.file);
  for (const pages::ShippedLesson& lesson : start_files_.lessons) files.push_back(lesson.file);
  if (item == files.size()) {
    open_lesson_page();
    return;
  }
  if (item > files.size()) {
    item -= files.size() + 1;
    if (item < story::labs().size()) {
      open_start_lab(story::labs()[item]);
      return;
    }
    item -= story::labs().size();
    files = recent_files(settings_);
    if (item >= files.size()) return;
  }
  View view;
  view.file = files[item];
  view.naming = view_.naming;
  open(view);
}

void Shell::open_start_lab(const story::Scene& lab) {
  if (!document_) return;
  View view = view_;
  view.scene = lab.name;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  go(view);
  if (view.scene == "lab/kernel") open_lab();
}

}  // namespace warpwalk::shell
