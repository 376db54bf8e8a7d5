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
constexpr std::array actions_beside_start = {Action::files,      Action::run,       Action::observe, Action::compose,
                                             Action::kernel_lab, Action::exercises, Action::theme,   Action::help};

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

// The first half hour: of the walk that comes first among those with the program, from its first step, or from where
// the person is in it.
StartItem StartPage::tour_item() const {
  const auto text = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return words().text("start", key, values);
  };
  const bool here = opened().stage && opened().stage->step && !opened().wanted;
  const bool later = here && opened().stage->beat > 1;
  StartItem item = {text("tour"),
                    later ? text("tour.resume", {{"place", opened().stage->place}}) : text("tour.text"),
                    words().text("key", "enter"),
                    {}};
  if (here || files_.walks.empty()) return item;
  document::View view;
  view.file = files_.walks.front().file;
  view.scene = story::tour().name;
  view.moment = {story::Moment::Kind::beat, 1, 0};
  item.choose = [this, view] { program().show(view); };
  return item;
}

StartContent StartPage::content() const {
  const auto text = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return words().text("start", key, values);
  };
  const auto opening = [&](const std::filesystem::path& file) { return [this, file] { program().open(file); }; };
  StartContent content;
  content.cards = {tour_item(), {text("teach"), text("teach.text"), "", {}}, item_of("open", Action::files)};
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
  StartSection tries = {
      text("try"),
      {item_of("exercises", Action::exercises), item_of("kernel", Action::kernel_lab), item_of("run", Action::run)}};
  // Teachers go on to the lessons, behind the wide column and what can be tried.
  content.cards[1].leads_to = content.cards.size() + walks.items.size() + of_labs.items.size() + tries.items.size();
  content.wide = {std::move(walks), std::move(of_labs)};
  content.narrow = {std::move(tries), std::move(lessons), std::move(recent)};
  return content;
}

void StartPage::paint(draw::Ui& ui) {
  const StartContent shown = content();
  const StartItem* const chosen = start_view(ui, shown, state_);
  if (chosen != nullptr && chosen->leads_to) {
    state_.cursor = *chosen->leads_to;
    state_.reveals = true;
  } else if (chosen != nullptr) {
    program().close_page();
    if (chosen->choose) chosen->choose();
  }
  constexpr float foot = 40;  // the keys of the page
  panels::paint_note(ui.canvas(), {0, 0, ui.canvas().width(), ui.canvas().height() - foot}, context().messages.note());
}

}  // namespace warpwalk::pages
