#include "app/pages/start/start_files.h"

#include <algorithm>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "app/lessons/lesson.h"

namespace warpwalk::pages {
namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error); !error && at != std::filesystem::directory_iterator();
       at.increment(error))
    if (at->path().filename().string().ends_with(ending)) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

// Each holds the traces of all ranks of a run.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders = files_in(folder, "");
  std::erase_if(folders, [](const std::filesystem::path& one) {
    std::error_code error;
    return !std::filesystem::is_directory(one, error);
  });
  return folders;
}

}  // namespace

std::string walk_name(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find('.'));
}

StartFiles load_start_files(const std::filesystem::path& assets, const story::Narration& words) {
  StartFiles shipped;
  if (assets.empty()) return shipped;
  std::vector<std::string> order;
  if (words.has("walks", "order")) {
    std::istringstream names(words.text("walks", "order"));
    for (std::string name; names >> name;) order.push_back(name);
  }
  std::vector<std::filesystem::path> files = files_in(assets / "walks", ".json.gz");
  for (std::filesystem::path& folder : folders_in(assets / "walks")) files.push_back(std::move(folder));
  // Traces with a change that was made; the one recorded after it lies beside each.
  for (std::filesystem::path& file : files_in(assets / "what_if", ".json.gz"))
    if (!file.filename().string().ends_with("_after.json.gz")) files.push_back(std::move(file));
  std::ranges::stable_sort(files, {}, [&](const std::filesystem::path& file) {
    return std::ranges::find(order, walk_name(file)) - order.begin();
  });
  for (const std::filesystem::path& file : files) {
    const std::string section = fmt::format("walk.{}", walk_name(file));
    const bool known = words.has(section, "title");
    shipped.walks.push_back({file, known ? words.text(section, "title") : file.filename().string(),
                             known ? words.text(section, "shows") : ""});
  }
  for (const std::filesystem::path& file : files_in(assets / "lessons", ".json"))
    if (const auto lesson = lessons::load_lesson(file, assets / "walks", &words))
      shipped.lessons.push_back({file, lesson->title, lesson->steps.size()});
  return shipped;
}

}  // namespace warpwalk::pages
