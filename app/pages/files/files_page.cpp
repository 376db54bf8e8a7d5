#include "app/pages/files/files_page.h"

#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

#include "app/pages/start/start_files.h"

namespace warpwalk::pages {
namespace {

FileChoice choice_of(const std::filesystem::path& file, std::string title, std::string detail) {
  FileChoice choice = {file, std::move(title), std::move(detail)};
  struct stat status {};
  if (stat(file.c_str(), &status) == 0) {
    choice.bytes = static_cast<std::uintmax_t>(status.st_size);
    choice.modified = status.st_mtime;
  }
  return choice;
}

// The home folder as ~, as people write it.
std::string short_folder(const std::filesystem::path& file) {
  const std::string folder = file.parent_path().string(), home = document::expanded_path("~").string();
  if (home.size() > 1 && (folder == home || folder.starts_with(home + "/"))) return "~" + folder.substr(home.size());
  return folder;
}

}  // namespace

bool FilesPage::open(Action by) {
  const bool to_compare = by == Action::compare;
  if (to_compare && !opened().document) return false;
  state_ = {};
  state_.to_compare = to_compare;
  state_.chooser = context().environment.choose_file != nullptr;
  lists_ = {};
  std::error_code error;
  for (const std::string& file : context().recent)
    if (const std::filesystem::path path = file; std::filesystem::exists(path, error))
      lists_.recent.push_back(choice_of(path, path.filename().string(), short_folder(path)));
  const StartFiles shipped = load_start_files(context().environment.assets, words());
  for (const RecordedWalk& walk : shipped.walks)
    lists_.walks.push_back({walk.file, walk.title, walk.file.filename().string()});
  for (const ShippedLesson& lesson : shipped.lessons)
    if (!to_compare)
      lists_.lessons.push_back(
          {lesson.file, lesson.title, words().text("files", "steps", {{"n", fmt::format("{}", lesson.steps)}})});
  if (!lists_.recent.empty()) state_.place = FilesPlace::recent;
  return true;
}

void FilesPage::watch() {
  if (auto listing = reader_.poll()) state_.folder = std::move(listing);
}

void FilesPage::choose(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {  // the sheet stays open for another try
    context().messages.fail("no_file", {{"file", file.string()}});
    state_.error = context().messages.note().text;
    return;
  }
  program().close_page();
  if (state_.to_compare)
    program().compare(file);
  else
    program().open(file);
}

void FilesPage::paint(draw::Ui& ui) {
  const FilesAnswer answer = files(ui, lists_, state_);
  if (answer.browse) {
    state_.folder.reset();
    state_.cursor = state_.first = 0;
    reader_.read(*answer.browse);
  }
  if (answer.choose) context().environment.choose_file();
  if (answer.open) choose(*answer.open);
}

void FilesPage::report(Report& report) const {
  report.text("folder", state_.folder ? state_.folder->folder.string() : "");
}

}  // namespace warpwalk::pages
