#include "app/pages/start/start_page.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"

namespace warpwalk::pages {
namespace {

constexpr std::size_t max_recent_shown = 4;

// The actions that work while the page is shown, besides its own.
constexpr std::array actions_beside_start = {Action::files,   Action::run,   Action::observe,
                                             Action::compose, Action::theme, Action::help};

std::vector<std::filesystem::path> recent_files(const std::vector<std::string>& recent) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const std::string& file : recent)
    if (files.size() < max_recent_shown && std::filesystem::exists(file, error)) files.emplace_back(file);
  return files;
}

}  // namespace

bool StartPage::open(Action) {
  files_ = load_start_files(context().environment.assets, words());
  state_ = {};
  program().end_presenting();
  return true;
}

// The page takes Tab, the arrows and Enter.
bool StartPage::takes(const draw::KeyPress& press, bool own) const {
  return !own && std::ranges::find(actions_beside_start, action_of(press)) == actions_beside_start.end();
}

// A card or row for what a key does as well.
StartItem StartPage::item_of(std::string_view key, Action action) const {
  return {words().text("start", key), words().text("start", fmt::format("{}.text", key)), key_of(action, words()),
          [this, action] { program().act(action); }};
}

StartContent StartPage::content() const {
  const auto text = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return words().text("start", key, values);
  };
  const auto opening = [&](const std::filesystem::path& file) { return [this, file] { program().open(file); }; };
  // The document below the page: the title of a known walk, or the name of the file.
  const document::View& view = opened().view;
  const std::filesystem::path file = opened().wanted ? opened().wanted->file : view.file;
  const auto known =
      std::ranges::find(files_.walks, file.filename(), [](const RecordedWalk& walk) { return walk.file.filename(); });
  const std::string walk = known != files_.walks.end() ? known->title : file.filename().string();
  const bool at_first_beat = view.scene == story::scenes().front().name &&
                             view.moment.kind == story::Moment::Kind::beat && view.moment.value == 1;
  const char* const key = at_first_beat ? "continue" : "resume";

  StartContent content;
  content.cards = {{text(key), text(fmt::format("{}.text", key), {{"walk", walk}}), words().text("key", "enter"), {}},
                   item_of("run", Action::run),
                   item_of("open", Action::files)};
  StartSection walks = {text("walks"), {}}, lessons = {text("lessons"), {}}, recent = {text("recent"), {}};
  StartSection of_labs = {text("labs"), {}};
  for (const story::Scene& lab : story::labs()) {
    const std::string section = fmt::format("start.{}", lab.name);
    of_labs.items.push_back({words().text(section, "title"), words().text(section, "shows"), "",
                             [this, name = lab.name] { program().enter(name); }});
  }
  for (const RecordedWalk& one : files_.walks) walks.items.push_back({one.title, one.shows, "", opening(one.file)});
  for (const ShippedLesson& lesson : files_.lessons)
    lessons.items.push_back(
        {lesson.title, text("lesson.text", {{"n", fmt::format("{}", lesson.steps)}}), "", opening(lesson.file)});
  lessons.items.push_back(item_of("compose", Action::compose));
  for (const std::filesystem::path& one : recent_files(context().recent))
    recent.items.push_back({one.filename().string(), one.parent_path().string(), "", opening(one)});
  content.wide = {std::move(walks), std::move(of_labs)};
  content.narrow = {std::move(lessons), std::move(recent)};
  return content;
}

void StartPage::paint(draw::Ui& ui) {
  const StartContent shown = content();
  if (const StartItem* const chosen = start_view(ui, shown, state_)) {
    program().close_page();
    if (chosen->choose) chosen->choose();
  }
  panels::paint_note(ui.canvas(), {0, 0, ui.canvas().width(), ui.canvas().height()}, context().messages.note());
}

}  // namespace warpwalk::pages
