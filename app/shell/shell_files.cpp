// Opening files: the sheet with known files and folders.
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

#include "app/shell/shell.h"

namespace warpwalk::shell {
namespace {

pages::FileChoice choice_of(const std::filesystem::path& file, std::string title, std::string detail) {
  pages::FileChoice choice = {file, std::move(title), std::move(detail)};
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

void Shell::open_files(bool to_compare) {
  if (sheet_ == Sheet::files) {
    sheet_ = Sheet::none;
    return;
  }
  files_ = {};
  files_.to_compare = to_compare;
  file_lists_ = {};
  start_files_ = pages::load_start_files(host_.assets, narration_);
  std::error_code error;
  for (const std::string& file : settings_.recent)
    if (const std::filesystem::path path = file; std::filesystem::exists(path, error))
      file_lists_.recent.push_back(choice_of(path, path.filename().string(), short_folder(path)));
  for (const pages::RecordedWalk& walk : start_files_.walks)
    file_lists_.walks.push_back({walk.file, walk.title, walk.file.filename().string()});
  for (const pages::ShippedLesson& lesson : start_files_.lessons)
    if (!to_compare)
      file_lists_.lessons.push_back(
          {lesson.file, lesson.title, narration_.text("files", "steps", {{"n", fmt::format("{}", lesson.steps)}})});
  if (!file_lists_.recent.empty()) files_.place = pages::FilesPlace::recent;
  sheet_ = Sheet::files;
}

void Shell::open_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {  // the sheet stays open for another try
    fail("no_file", {{"file", file.string()}});
    files_.error = note_.text;
    return;
  }
  sheet_ = Sheet::none;
  if (files_.to_compare) {
    compare_with(file);
    return;
  }
  View view;
  view.file = file;
  view.naming = view_.naming;
  open(view);
}

// Shows what differs from this trace, in the lab "overview".
void Shell::compare_with(const std::filesystem::path& file) {
  View view = view_;
  view.compare = file;
  view.scene = document::compare_scene;
  view.moment = document::compare_moment;
  compared_file_.clear();  // a file that is chosen again is read again
  go(view);
}

void Shell::paint_files(draw::Ui& ui) {
  const pages::FilesAnswer answer = pages::files(ui, file_lists_, files_);
  if (answer.browse) {
    files_.folder.reset();
    files_.cursor = files_.first = 0;
    folder_reader_.read(*answer.browse);
  }
  if (answer.open) open_file(*answer.open);
}

void Shell::watch_folder() {
  if (auto listing = folder_reader_.poll()) files_.folder = std::move(listing);
  if (sheet_ != Sheet::files) folder_reader_.cancel();
}

}  // namespace warpwalk::shell
